"""The jobs with a family, small enough to try every roll: text, icepool and brute force must mean the same.

    python small.py TUMBLE          compares the three on small sizes, and the full texts with ../jobs.jsonl
    python small.py --lines         prints the lines of the jobs for ../jobs.jsonl, answered by icepool

A line of CASES has the job, its family, the words of its definition, its text and its icepool job as functions of
the sizes, the full sizes, the small sizes, the pools that are rolled, and what becomes of a roll.
"""

import collections
import fractions
import hashlib
import itertools
import json
import math
import pathlib
import subprocess
import sys

import answer
import icepool_jobs as peer
from icepool_jobs import d

JOBS = pathlib.Path(__file__).parent.parent / "jobs.jsonl"


def dice(times, faces):
    return [range(1, faces + 1)] * times


def counts(roll, faces):
    return [roll.count(face) for face in faces]


def best_set(roll):
    return max((roll.count(face), face) for face in roll)


def run(roll):
    longest = 0
    for face in roll:
        length = 1
        while face + length in roll:
            length += 1
        longest = max(longest, length)
    return longest


def full_house(roll):
    shown = sorted((roll.count(face) for face in set(roll)), reverse=True)
    return int(len(shown) > 1 and shown[0] >= 3 and shown[1] >= 2)


def hand(roll):
    shown = sorted((roll.count(face) for face in set(roll)), reverse=True)
    first, second = shown[0], (shown + [0])[1]
    if first >= 5:
        return 6
    if first == 4:
        return 5
    if first == 3:
        return 4 if second >= 2 else 3
    return min(2, shown.count(2))


def without(first, second):
    left = list(first)
    for face in second:
        if face in left:
            left.remove(face)
    return left


def cards(deck, taken):
    """Each hand as a roll: the pools are one 'die' whose faces are the hands."""
    return [list(itertools.combinations(deck, taken))]


def pairs_won(a, b):
    return sum(x > y for x, y in zip(sorted(a, reverse=True), sorted(b, reverse=True)))


def alternating(roll):
    return sum(face * (-1) ** at for at, face in enumerate(sorted(roll, reverse=True)))


def matched(a, b):
    a, won = sorted(a), 0
    for face in sorted(b, reverse=True):
        if a and a[-1] > face:
            a.pop()
            won += 1
    return won


def duel(a, b):
    a, b = sorted(a), sorted(b)
    while a and b:
        high, low = a[-1], b[-1]
        if high <= low:
            a.pop()
        if low <= high:
            b.pop()
    return len(a), len(b)


def streak(rolls):
    text = "".join("x" if face == 6 else " " for face in rolls)
    return max(map(len, text.split(" ")))


def purse(changes, coins):
    for a, b in zip(changes[::2], changes[1::2]):
        if coins == 0:
            break
        coins += (a > b) - (a < b)
    return coins


def rolls_to(goal, rolls):
    for at in range(len(rolls) + 1):
        if sum(rolls[:at]) >= goal:
            return at
    raise ValueError("too few rolls")


def mixed_text(groups):
    return "{" + ", ".join(f"{times}d{faces}" for times, faces in groups) + "}"


def own_text(some):
    return "{" + ", ".join("choose {" + ", ".join(map(str, faces)) + "}" for faces in peer.OWN_FACES[:some]) + "}"


def per_face(n, f, rest):
    return f"x := {n}d{f}; c := foreach i in 1..{f} do count i=x; {rest}"


HAND = """if 5<=c then 6 else if 4=c then 5 else
  if 3=c then (if 2 <= (count 2<=c) then 4 else 3) else
  min {2, count 2=c}"""

RUN = "function run(x, i) = if i=x then 1 + call run(x, i+1) else 0\n"

LONGEST = """function longest(x, i, now, best) =
  if i > {f} then best else
  n := if i=x then now+1 else 0;
  call longest(x, i+1, n, max {{best, n}})
call longest({n}d{f}, 1, 0, 0)"""

WINS = """function wins(a, b) =
  if 0 = (count b) then 0 else
  (count (max a) > (max b)) + call wins(a -- (max a), b -- (max b))
call wins({n}d{f}, {m}d{f})"""

MATCH = """function match(a, b) =
  if 0 = (count b) then 0 else
  if (max a) > (max b) then 1 + call match(a -- (max a), b -- (max b))
  else call match(a, b -- (max b))
call match({n}d{f}, {m}d{f})"""

DUEL = """function duel(a, b) =
  if (0 = (count a)) then [0, count b] else if (0 = (count b)) then [count a, 0] else
  if (max a) > (max b) then call duel(a, b -- (max b)) else
  if (max a) < (max b) then call duel(a -- (max a), b) else
  call duel(a -- (max a), b -- (max b))
call duel({n}d{f}, {m}d{f})"""

STREAK = """function streak(n, now, best) =
  if n=0 then best else
  if 6=d6 then call streak(n-1, now+1, max {{best, now+1}})
  else call streak(n-1, 0, best)
call streak({n}, 0, 0)"""

PURSE = """function play(n, coins) =
  if (n=0) then coins else if coins=0 then 0 else
  call play(n-1, coins + sgn (d6 - d6))
call play({n}, {s})"""

ROLLS_TO = """function rolls(s) = if s >= {goal} then 0 else 1 + call rolls(s + d{f})
call rolls(0)"""

# Name, family, definition, text, icepool, full sizes, small sizes, pools, rule. A rule takes the pools of a roll.
Case = collections.namedtuple("Case", "name family definition text icepool full small pools rule")

SET_FACE = (
    lambda n, f: f"x := {n}d{f}; w := max foreach i in 1..{f} do count i=x; "
    f"[w, max foreach i in 1..{f} do if w = (count i=x) then i else {{}}]",
    lambda n, f: d(f).pool(n).largest_count_and_outcome(),
)
FACES = lambda n, f, k: peer.faces_at_least(d(f).pool(n), k)
ONE_POOL = lambda n, f, *_: [dice(n, f)]
TWO_POOLS = lambda n, m, f, *_: [dice(n, f), dice(m, f)]

CASES = [
    Case("set_face_10d10", "sets", "10d10: [the size of the largest set, its highest face].", *SET_FACE,
         (10, 10), (4, 5), ONE_POOL, lambda sizes, x: best_set(x)),
    Case("set_face_20d20", "sets", "20d20: [the size of the largest set, its highest face].", *SET_FACE,
         (20, 20), (5, 4), ONE_POOL, lambda sizes, x: best_set(x)),
    Case("faces_twice_15d6", "sets", "15d6: how many faces show at least twice.",
         lambda n, f, k: f"x := {n}d{f}; count foreach i in 1..{f} do {k} <= (count i=x)", FACES,
         (15, 6, 2), (5, 4, 2), ONE_POOL, lambda sizes, x: sum(c >= sizes[2] for c in counts(x, set(x)))),
    Case("faces_thrice_40d12", "sets", "40d12: how many faces show at least three times.",
         lambda n, f, k: per_face(n, f, f"count {k}<=c"), FACES,
         (40, 12, 3), (6, 3, 3), ONE_POOL, lambda sizes, x: sum(c >= sizes[2] for c in counts(x, set(x)))),
    Case("run_10d10", "runs", "10d10: the length of the longest run of consecutive faces.",
         lambda n, f: RUN + f"x := {n}d{f}; max foreach i in 1..{f} do call run(x, i)",
         lambda n, f: d(f).pool(n).largest_straight(), (10, 10), (4, 6), ONE_POOL, lambda sizes, x: run(x)),
    Case("run_15d20", "runs", "15d20: the length of the longest run of consecutive faces.",
         lambda n, f: LONGEST.format(n=n, f=f),
         lambda n, f: d(f).pool(n).largest_straight(), (15, 20), (4, 6), ONE_POOL, lambda sizes, x: run(x)),
    Case("product_12d6", "folds", "the product of 12d6.",
         lambda n, f: f"compositional product(1, sum, *)\ncall product({n}d{f})",
         peer.product, (12, 6), (4, 5), ONE_POOL, lambda sizes, x: math.prod(x)),
    Case("product_18d10", "folds", "the product of 18d10.",
         lambda n, f: "function product(x) = if x then (max x) * call product(x -- (max x)) else 1\n"
         f"call product({n}d{f})",
         peer.product, (18, 10), (4, 5), ONE_POOL, lambda sizes, x: math.prod(x)),
    Case("lcm_20d12", "folds", "20d12: the least common multiple of all faces shown.",
         lambda n, f: "function gcd(a, b) = if b=0 then a else call gcd(b, a mod b)\n"
         "function lcm(a, b) = a / (call gcd(a, b)) * b\n"
         f"compositional common(1, sum, lcm)\ncall common({n}d{f})",
         lambda n, f: peer.folded(n, d(f), math.lcm), (20, 12), (4, 6), ONE_POOL, lambda sizes, x: math.lcm(*x)),
    Case("squares_50d10", "folds", "the sum of the squares of 50d10.",
         lambda n, f: "function square(x) = x * x\ncompositional squares(0, square, +)\n" f"call squares({n}d{f})",
         lambda n, f: peer.total(n, d(f).map(lambda face: face * face)),
         (50, 10), (4, 5), ONE_POOL, lambda sizes, x: sum(face * face for face in x)),
    Case("fullhouse_12d6", "patterns", "12d6, 1 if at least three of one face and two of another, else 0.",
         lambda n, f: per_face(n, f, "if (3<=c) & (2 <= (count 2<=c)) then 1 else 0"),
         lambda n, f: peer.full_house(d(f).pool(n)), (12, 6), (6, 4), ONE_POOL, lambda sizes, x: full_house(x)),
    Case("hand_8d6", "patterns", "8d6 as a hand: five of a kind or more 6, four 5, full house 4, three 3, two pairs or "
         "more 2, a pair 1, else 0.",
         lambda n, f: per_face(n, f, HAND),
         lambda n, f: peer.hand(d(f).pool(n)), (8, 6), (6, 4), ONE_POOL, lambda sizes, x: hand(x)),
    Case("pairs_20d20", "patterns", "20d20: how many faces show exactly twice.",
         lambda n, f: per_face(n, f, "count 2=c"),
         lambda n, f: peer.exactly(d(f).pool(n), 2), (20, 20), (6, 4), ONE_POOL,
         lambda sizes, x: sum(c == 2 for c in counts(x, set(x)))),
    Case("cards_fullhouse_5", "cards", "five cards of 52, 1 if a full house, else 0.",
         lambda n, ranks: f"x := 4#(1..{ranks}) pick {n}; c := foreach i in 1..{ranks} do count i=x; "
         "if (3<=c) & (2 <= (count 2<=c)) then 1 else 0",
         lambda n, ranks: peer.full_house(peer.deck(ranks).deal(n)), (5, 13), (5, 3),
         lambda n, ranks: [cards([r for r in range(ranks) for _ in range(4)], n)],
         lambda sizes, x: full_house(x[0])),
    Case("cards_hand_7", "cards", "seven cards of 52 by rank: four of a kind 5, full house 4, three 3, two pairs or "
         "more 2, a pair 1, else 0.",
         lambda n, ranks: f"x := 4#(1..{ranks}) pick {n}; c := foreach i in different x do count i=x; " + HAND,
         lambda n, ranks: peer.hand(peer.deck(ranks).deal(n)), (7, 13), (6, 4),
         lambda n, ranks: [cards([r for r in range(ranks) for _ in range(4)], n)],
         lambda sizes, x: hand(x[0])),
    Case("cards_pairs_10", "cards", "ten cards of 52: how many ranks are held exactly twice.",
         lambda n, ranks: f"x := foreach c in (0..{4 * ranks - 1}) pick {n} do c mod {ranks}; "
         f"count foreach i in 0..{ranks - 1} do 2 = (count i=x)",
         lambda n, ranks: peer.exactly(peer.deck(ranks).deal(n), 2), (10, 13), (5, 4),
         lambda n, ranks: [cards([r for r in range(ranks) for _ in range(4)], n)],
         lambda sizes, x: sum(c == 2 for c in counts(x[0], set(x[0])))),
    Case("cards_suit_13", "cards", "13 cards of 52: the length of the longest suit.",
         lambda n, ranks: f"s := foreach c in (0..{4 * ranks - 1}) pick {n} do c/{ranks}; "
         "max foreach i in 0..3 do count i=s",
         lambda n, ranks: peer.suits(ranks).deal(n).largest_count(), (13, 13), (5, 4),
         lambda n, ranks: [cards([s for s in range(4) for _ in range(ranks)], n)],
         lambda sizes, x: max(counts(x[0], range(4)))),
    Case("equal_largest_10d6", "largest", "10d6: the sum of the dice that equal the largest.",
         lambda n, f: f"x := {n}d{f}; sum (max x)=x",
         lambda n, f: peer.largest_ones(n, f, lambda face, count: face * count),
         (10, 6), (4, 5), ONE_POOL, lambda sizes, x: max(x) * x.count(max(x))),
    Case("equal_largest_30d20", "largest", "30d20: the sum of the dice that equal the largest.",
         lambda n, f: f"x := {n}d{f}; m := max x; m * (count m=x)",
         lambda n, f: peer.largest_ones(n, f, lambda face, count: face * count),
         (30, 20), (4, 5), ONE_POOL, lambda sizes, x: max(x) * x.count(max(x))),
    Case("between_12d8", "largest", "12d8: the sum of the dice that equal neither the largest nor the smallest.",
         lambda n, f: f"x := {n}d{f}; sum (x drop {{max x, min x}})",
         lambda n, f: peer.sum_between(d(f).pool(n)), (12, 8), (5, 5), ONE_POOL,
         lambda sizes, x: sum(face for face in x if face not in (max(x), min(x)))),
    Case("cancel_count_8v6_d6", "removing", "8d6 without one equal die for each of 6d6: how many are left.",
         lambda n, m, f: f"count ({n}d{f} -- {m}d{f})",
         lambda n, m, f: (d(f).pool(n) - d(f).pool(m)).size(), (8, 6, 6), (4, 3, 4), TWO_POOLS,
         lambda sizes, a, b: len(without(a, b))),
    Case("cancel_look_10v5_d10", "removing", "10d10 without one equal die for each of 5d10: [how many are left, how "
         "many different].",
         lambda n, m, f: f"r := {n}d{f} -- {m}d{f}; [count r, count different r]",
         lambda n, m, f: peer.rest_count_and_different(d(f).pool(n), d(f).pool(m)), (10, 5, 10), (4, 3, 4), TWO_POOLS,
         lambda sizes, a, b: (len(without(a, b)), len(set(without(a, b))))),
    Case("cancel_largest_12v8_d8", "removing", "12d8 without one equal die for each of 8d8: the sum of the 3 highest "
         "that are left.",
         lambda n, m, f, keep: f"a := {n}d{f}; b := {m}d{f}; sum largest {keep} (a -- b)",
         lambda n, m, f, keep: peer.rest_sum_largest(d(f).pool(n), d(f).pool(m), keep),
         (12, 8, 8, 3), (4, 3, 4, 2), TWO_POOLS,
         lambda sizes, a, b: sum(sorted(without(a, b), reverse=True)[: sizes[3]])),
    Case("pair_5v5_d10", "pairing", "5d10 against 5d10 paired highest to lowest: how many pairs the first wins.",
         lambda n, m, f: f"a := {n}d{f}; b := {m}d{f}; "
         f"count foreach i in 1..{m} do (min largest i a) > (min largest i b)",
         lambda n, m, f: peer.paired(d(f).pool(n), d(f).pool(m)), (5, 5, 10), (3, 3, 4), TWO_POOLS,
         lambda sizes, a, b: pairs_won(a, b)),
    Case("pair_10v8_d6", "pairing", "10d6 against 8d6 paired from the highest: how many pairs the first wins.",
         lambda n, m, f: f"a := {n}d{f}; b := {m}d{f}; "
         f"count foreach i in 1..{m} do (min largest i a) > (min largest i b)",
         lambda n, m, f: peer.paired(d(f).pool(n).highest(m), d(f).pool(m)), (10, 8, 6), (4, 3, 4), TWO_POOLS,
         lambda sizes, a, b: pairs_won(a, b)),
    Case("pair_10v10_d10", "pairing", "10d10 against 10d10 paired highest to lowest: how many pairs the first wins.",
         lambda n, m, f: WINS.format(n=n, m=m, f=f),
         lambda n, m, f: peer.paired(d(f).pool(n), d(f).pool(m)), (10, 10, 10), (3, 3, 4), TWO_POOLS,
         lambda sizes, a, b: pairs_won(a, b)),
    Case("alternate_10d10", "recursion", "10d10 from the highest down, added and subtracted in turn.",
         lambda n, f: "function turns(x) = if x then (max x) - call turns(x -- (max x)) else 0\n"
         f"call turns({n}d{f})",
         lambda n, f: peer.alternating(d(f).pool(n)), (10, 10), (4, 5), ONE_POOL, lambda sizes, x: alternating(x)),
    Case("alternate_30d6", "recursion", "30d6 from the highest down, added and subtracted in turn.",
         lambda n, f: "function turns(x, sign, s) = if 0 = (count x) then s else\n"
         "  call turns(x -- (max x), -sign, s + sign * (max x))\n"
         f"call turns({n}d{f}, 1, 0)",
         lambda n, f: peer.alternating(d(f).pool(n)), (30, 6), (4, 5), ONE_POOL, lambda sizes, x: alternating(x)),
    Case("squared_sets_10d10", "recursion", "10d10: the sum over the faces of face times the square of its count.",
         lambda n, f: "function score(x) = if 0 = (count x) then 0 else\n"
         "  m := max x; n := count m=x; m*n*n + call score(m > x)\n"
         f"call score({n}d{f})",
         lambda n, f: peer.squared_sets(d(f).pool(n)), (10, 10), (4, 5), ONE_POOL,
         lambda sizes, x: sum(face * x.count(face) ** 2 for face in set(x))),
    Case("match_6v6_d6", "two pools", "6d6 against 6d6: how many of the second can be beaten by a higher die of the "
         "first each.",
         lambda n, m, f: MATCH.format(n=n, m=m, f=f),
         lambda n, m, f: peer.matched(d(f).pool(n), d(f).pool(m)), (6, 6, 6), (3, 3, 4), TWO_POOLS,
         lambda sizes, a, b: matched(a, b)),
    Case("match_10v10_d10", "two pools", "10d10 against 10d10: how many of the second can be beaten by a higher die of "
         "the first each.",
         lambda n, m, f: MATCH.format(n=n, m=m, f=f),
         lambda n, m, f: peer.matched(d(f).pool(n), d(f).pool(m)), (10, 10, 10), (4, 3, 4), TWO_POOLS,
         lambda sizes, a, b: matched(a, b)),
    Case("duel_8v6_d8", "two pools", "8d8 against 6d8: the highest dice meet and the lower one is lost, both if they "
         "are equal, until a side has none: [dice left, dice left].",
         lambda n, m, f: DUEL.format(n=n, m=m, f=f), lambda n, m, f: peer.duel(n, m, f),
         (8, 6, 8), (4, 3, 4), TWO_POOLS, lambda sizes, a, b: duel(a, b)),
    Case("streak_60", "counter", "60 rolls of d6: the longest streak of sixes.",
         lambda n: STREAK.format(n=n), peer.streak, (60,), (5,), lambda n: [dice(n, 6)], lambda sizes, x: streak(x)),
    Case("purse_60", "counter", "10 coins and 60 rounds of d6 against d6, the loser pays one coin; at 0 it is over: "
         "coins left.",
         lambda n, s: PURSE.format(n=n, s=s), peer.purse, (60, 10), (3, 2), lambda n, s: [dice(2 * n, 6)],
         lambda sizes, x: purse(x, sizes[1])),
    Case("rolls_to_60", "counter", "how many d6 it takes to reach 60.",
         lambda goal, f: ROLLS_TO.format(goal=goal, f=f), peer.rolls_to, (60, 6), (6, 6),
         lambda goal, f: [dice(goal, f)], lambda sizes, x: rolls_to(sizes[0], x)),
    Case("mixed_set_12", "mixed", "3 each of d4, d6, d8 and d12: [the size of the largest set, its highest face].",
         lambda *groups: f"x := {mixed_text(groups)}; w := max foreach i in 1..{groups[-1][1]} do count i=x; "
         f"[w, max foreach i in 1..{groups[-1][1]} do if w = (count i=x) then i else {{}}]",
         lambda *groups: peer.mixed(*groups).largest_count_and_outcome(),
         ((3, 4), (3, 6), (3, 8), (3, 12)), ((2, 2), (2, 3), (1, 4)),
         lambda *groups: [sum((dice(*group) for group in groups), [])], lambda sizes, x: best_set(x)),
    Case("mixed_faces_20", "mixed", "4 each of d4, d6, d8, d10 and d12: how many faces show at least twice.",
         lambda *groups: f"x := {mixed_text(groups)}; count foreach i in 1..{groups[-1][1]} do 2 <= (count i=x)",
         lambda *groups: peer.faces_at_least(peer.mixed(*groups), 2),
         ((4, 4), (4, 6), (4, 8), (4, 10), (4, 12)), ((2, 2), (2, 3), (1, 4)),
         lambda *groups: [sum((dice(*group) for group in groups), [])],
         lambda sizes, x: sum(c >= 2 for c in counts(x, set(x)))),
    Case("mixed_run_16", "mixed", "4 each of d4, d6, d8 and d10: the length of the longest run of consecutive faces.",
         lambda *groups: RUN + f"x := {mixed_text(groups)}; max foreach i in 1..{groups[-1][1]} do call run(x, i)",
         lambda *groups: peer.mixed(*groups).largest_straight(),
         ((4, 4), (4, 6), (4, 8), (4, 10)), ((2, 2), (2, 3), (1, 4)),
         lambda *groups: [sum((dice(*group) for group in groups), [])], lambda sizes, x: run(x)),
    Case("own_faces_set_5", "mixed", "five dice with faces of their own: [the size of the largest set, its highest "
         "face].",
         lambda some: f"x := {own_text(some)}; w := max foreach i in different x do count i=x; "
         "[w, max foreach i in x do if w = (count i=x) then i else {}]",
         lambda some: peer.own_faces(some).largest_count_and_outcome(), (5,), (3,),
         lambda some: [peer.OWN_FACES[:some]], lambda sizes, x: best_set(x)),
    Case("own_faces_different_8", "mixed", "eight dice with faces of their own: how many different faces.",
         lambda some: f"count different {own_text(some)}",
         lambda some: peer.faces_at_least(peer.own_faces(some), 1), (8,), (4,),
         lambda some: [peer.OWN_FACES[:some]], lambda sizes, x: len(set(x))),
    Case("count_ge5_5000d6", "thousands", "how many of 5000d6 show at least 5.",
         lambda n, f: f"count 5<={n}d{f}",
         lambda n, f: (d(f) >= 5).map(lambda hit: int(hit)).pool(n).sum(), (5000, 6), (5, 6), ONE_POOL,
         lambda sizes, x: sum(face >= 5 for face in x)),
    Case("net_2000d10", "thousands", "2000d10: how many show at least 8, less how many show 1.",
         lambda n, f: f"x := {n}d{f}; (count 8<=x) - (count 1=x)",
         lambda n, f: peer.total(n, d(f).map(lambda face: (face >= 8) - (face == 1))), (2000, 10), (4, 9), ONE_POOL,
         lambda sizes, x: sum(face >= 8 for face in x) - x.count(1)),
    Case("count_largest_2000d10", "thousands", "how many of 2000d10 equal the largest.",
         lambda n, f: f"x := {n}d{f}; count (max x)=x",
         lambda n, f: peer.largest_ones(n, f, lambda face, count: count), (2000, 10), (5, 5), ONE_POOL,
         lambda sizes, x: x.count(max(x))),
]


def reduced(weights):
    total = sum(weights.values())
    return {outcome: fractions.Fraction(weight, total) for outcome, weight in weights.items() if weight}


def brute(case):
    found = collections.Counter()
    for roll in itertools.product(*(itertools.product(*pool) for pool in case.pools(*case.small))):
        found[case.rule(case.small, *roll)] += 1
    return reduced(found)


def tumble(program, texts):
    lines = "".join(json.dumps({"do": "odds", "notation": "troll", "text": text}) + "\n" for text in texts)
    ran = subprocess.run([program, "batch"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def outcome(value):
    return tuple(value["pair"]) if isinstance(value, dict) else value


def check(program):
    known = {job["name"]: job for job in map(json.loads, JOBS.read_text().splitlines())}
    wrong = 0
    for case, said in zip(CASES, tumble(program, [case.text(*case.small) for case in CASES])):
        by_hand, by_peer = brute(case), reduced(dict(case.icepool(*case.small)))
        ours = {outcome(value): fractions.Fraction(share) for value, share in said.get("outcomes", [])}
        faults = ["icepool"] * (by_peer != by_hand) + ["tumble"] * (ours != by_hand)
        faults += ["jobs.jsonl"] * (known.get(case.name, {}).get("text") != case.text(*case.full))
        wrong += bool(faults)
        print(f"{case.name:24}{len(by_hand):5} outcomes  {', '.join(faults) or 'same'}  {said.get('error', '')}")
    print(f"{len(CASES) - wrong} the same, {wrong} not")
    return wrong


def lines():
    for case in CASES:
        weights = {at: weight for at, weight in dict(case.icepool(*case.full)).items() if weight}
        total, numbers = sum(weights.values()), not isinstance(next(iter(weights)), tuple)
        mean = fractions.Fraction(sum(at * weight for at, weight in weights.items()), total) if numbers else None
        # A mean of more digits than anybody reads is given as a decimal.
        shown = None if mean is None else str(mean) if len(str(mean)) < 200 else repr(float(mean))
        decimal = hashlib.sha256()
        for at in sorted(weights):
            share = fractions.Fraction(weights[at], total)
            above, below = share.numerator, share.denominator
            decimal.update(f"{answer.outcome_text(at)}:{above}/{below}\n".encode())
        yield json.dumps({
            "name": case.name, "family": case.family, "notation": "troll", "text": case.text(*case.full),
            "definition": case.definition, "outcomes": len(weights), "mean": shown,
            "sha256_dec": decimal.hexdigest(), "sha256_hex": answer.digest(weights),
        })


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    sys.set_int_max_str_digits(0)
    if sys.argv[1] == "--lines":
        for line in lines():
            print(line, flush=True)
    else:
        sys.exit(1 if check(sys.argv[1]) else 0)
