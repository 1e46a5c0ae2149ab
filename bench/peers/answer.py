"""What the Python peers have in common: time one job, then print the answer in the form that is summed.

A peer is called as `python PEER_jobs.py JOB` and prints lines `KEY VALUE`:

    seconds      processor time of the computation alone, without the import of the library
    outcomes     how many outcomes there are
    sha256_hex   the checksum of the distribution, as in `tumble batch`

A job that the peer has no way to express ends with `cannot REASON`.
"""

import hashlib
import math
import sys
import time


def outcome_text(outcome):
    """An outcome as it is summed: a number in decimal, a pair as `[a,b]`."""
    if isinstance(outcome, tuple):
        return "[" + ",".join(outcome_text(item) for item in outcome) + "]"
    return str(int(outcome))


def digest(weights):
    """The checksum of a map from outcomes to whole weights."""
    total = sum(weights.values())
    summed = hashlib.sha256()
    for outcome in sorted(weights):
        weight = weights[outcome]
        if weight:
            common = math.gcd(weight, total)
            summed.update(f"{outcome_text(outcome)}:{weight // common:x}/{total // common:x}\n".encode())
    return summed.hexdigest()


def main(jobs, weights_of):
    """Runs the job named on the command line; `weights_of` turns its result into a map of weights."""
    sys.setrecursionlimit(100_000)
    job = jobs.get(sys.argv[1])
    if job is None:
        print("cannot nobody has written this job for this peer")
        return
    start = time.process_time()
    result = job()
    seconds = time.process_time() - start
    weights = {outcome: weight for outcome, weight in weights_of(result).items() if weight}
    print(f"seconds {seconds:.9f}")
    print(f"outcomes {len(weights)}")
    print(f"sha256_hex {digest(weights)}")
