"""Rolls every line of the input with d20 and prints, for each, how often each total came: `total count total count …`."""
import sys
from collections import Counter

import d20

rolls = int(sys.argv[1])
for line in sys.stdin:
    text = line.rstrip("\n")
    try:
        counts = Counter(int(d20.roll(text).total) for _ in range(rolls))
    except Exception as error:  # what the tool refuses is no roll
        print("refused:", type(error).__name__)
        continue
    print(" ".join(f"{total} {count}" for total, count in sorted(counts.items())))
