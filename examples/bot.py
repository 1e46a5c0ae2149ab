#!/usr/bin/env python3
"""A chat bot in the style of Discord, over `tumble batch`: chat lines in, replies in Markdown out.

`!roll 4d6kh3` rolls, `!odds 2d6+3 >= 9` gives a chance, `!odds 3d6` a table; everything else is chat.
Try it: `python3 examples/bot.py`, with `tumble` on the path. A number after it is the seed of its rolls.
"""
import json, re, subprocess, sys

HELP = "try `!roll 4d6kh3`, `!odds 2d6+3 >= 9` or `!odds 3d6`"


class Tumble:
    """One child process answers everything; strangers write the expressions, so its limits are small."""

    def __init__(self):
        command = ["tumble", "batch", "--max-steps", "1000000", "--max-dice", "1000"]
        pipe = subprocess.PIPE
        self.batch = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def ask(self, **request):
        print(json.dumps(request), file=self.batch.stdin, flush=True)
        return json.loads(self.batch.stdout.readline())


def roll(tumble, dice, seed):
    answer = tumble.ask(do="roll", text=dice, render="markdown", seed=seed)
    return answer["line"] if answer["ok"] else sorry(answer["error"])


def odds(tumble, asked):
    question = re.fullmatch(r"(.+?) (>=|<=) *(-?\d{1,18})", asked)
    if question:
        dice, sign, number = question.groups()
        field = {">=": "at_least", "<=": "at_most"}[sign]
        answer = tumble.ask(do="odds", text=dice, format="text", **{field: int(number)})
    else:
        answer = tumble.ask(do="odds", text=asked, format="text", look={"width": 50})
    if not answer["ok"]:
        return sorry(answer["error"])
    return answer["document"].rstrip() if question else f"```\n{answer['document'][:1900]}```"


def sorry(error):
    return "sorry: " + "; ".join(error[part] for part in ("message", "hint") if part in error)


def main(seed=None):
    tumble, rolls = Tumble(), 0
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "!roll":
            rolls += 1
            print(roll(tumble, rest.strip(), seed and seed + rolls), flush=True)
        elif command.startswith("!"):
            print(odds(tumble, rest.strip()) if command == "!odds" else HELP, flush=True)


main(*map(int, sys.argv[1:2]))
