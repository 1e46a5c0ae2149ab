"""The jobs of ../jobs.jsonl in dyce, each in the best way that was found to write it there.

Sums are `n @ H`, sums of kept dice `P.at`, one kept die `H.order_stat_for_n_at_pos`, and what looks at
a whole pool `P.survey`, which sweeps over the faces. Two pools have no sweep: they are expanded.
"""

import functools
from fractions import Fraction

from dyce import H, P, expand, explode_n
from dyce.p import survey_outcome_order_ascending as ascending

import answer


#: Without this, `expand` drops rare branches.
EVERYTHING = {"min_path_probability": Fraction(0)}


def kept(die, rolled, keep):
    """The sum of the highest `keep` of `rolled` dice."""
    return (rolled @ P(die)).at(slice(-keep, None))


def highest(die, rolled):
    """The highest of `rolled` dice."""
    return die.order_stat_for_n_at_pos(rolled, rolled - 1)


def joint_maxmin_20d20():
    """The first face met is the lowest, the last one the highest."""

    def widen(state, outcome, count):
        return (outcome, outcome if state is None else state[1])

    return (20 @ P(20)).survey(accumulate=widen, order=ascending)


def distinct_30d20():
    def one_more(state, outcome, count):
        return (state or 0) + 1

    return (30 @ P(20)).survey(accumulate=one_more, order=ascending)


def fullhouse_5d6():
    def more_counts(state, outcome, count):
        return tuple(sorted((state or ()) + (count,)))

    return (5 @ P(6)).survey(accumulate=more_counts, order=ascending, settle=lambda counts: int(counts == (2, 3)))


def wins(first, second):
    """How many pairs the first wins, highest against highest; unpaired dice are ignored."""
    return sum(a > b for a, b in zip(reversed(first), reversed(second)))


@functools.cache
def exchange(attackers, defenders):
    return expand(lambda a, b: wins(a.roll, b.roll), attackers @ P(6), defenders @ P(6), **EVERYTHING)


def risk_3v2():
    return exchange(3, 2).apply(lambda w: (2 - w, w))


@functools.cache
def battle(attackers, defenders):
    if attackers < 1 or defenders < 1:
        return H({(attackers, defenders): 1})
    rolled, against = min(3, attackers), min(2, defenders)
    pairs = min(rolled, against)
    return expand(
        lambda w: battle(attackers - (pairs - w.outcome), defenders - w.outcome), exchange(rolled, against), **EVERYTHING
    )


def risk_10v10_d6():
    return expand(lambda a, b: (wins(a.roll, b.roll), wins(b.roll, a.roll)), 10 @ P(6), 10 @ P(6), **EVERYTHING)


def oppose_max_10v8_d20():
    return highest(H(20), 10).apply(lambda a, b: (a > b) - (a < b), highest(H(20), 8))


def wod_20_x20():
    """The die that may not roll again first, then one more extra roll at a time."""
    one = H({0: 7, 1: 3})
    for _ in range(20):
        one = mixture({0: 7, 1: 2}, one + 1, 1)
    return 20 @ one


def mixture(plain, other, weight):
    """Plain outcomes with their weights, and another histogram as a whole with one weight."""
    scaled = H({outcome: times * other.total for outcome, times in plain.items()})
    return scaled.merge({outcome: times * weight for outcome, times in other.items()})


def dnd_attack_x4():
    normal, critical = 2 @ H(6) + 5, 4 @ H(6) + 5

    def attack(x):
        return critical if x.outcome == 20 else normal if x.outcome >= 10 else 0

    return 4 @ expand(attack, H(20), **EVERYTHING)


def mixed_kh5_20():
    return P(*(faces for faces in (4, 6, 8, 10, 12) for _ in range(4))).at(slice(-5, None))


def sum100_vs_sum100():
    return (100 @ H(6)).gt(100 @ H(6))


JOBS = {
    "sum_3d6": lambda: 3 @ H(6),
    "kh3_4d6": lambda: kept(H(6), 4, 3),
    "sum_50d10": lambda: 50 @ H(10),
    "sum_1000d6": lambda: 1000 @ H(6),
    "sum_10000d6": lambda: 10000 @ H(6),
    "count_gt7_100d10": lambda: 100 @ H(10).gt(7),
    "kh3_10d10": lambda: kept(H(10), 10, 3),
    "kh50_100d10": lambda: kept(H(10), 100, 50),
    "max_1000d1000": lambda: highest(H(1000), 1000),
    "l5r_3k5_x5": lambda: kept(explode_n(H(10), n=5), 5, 3),
    "joint_maxmin_20d20": joint_maxmin_20d20,
    "distinct_30d20": distinct_30d20,
    "fullhouse_5d6": fullhouse_5d6,
    "risk_3v2": risk_3v2,
    "risk_battle_20v20": lambda: battle(20, 20),
    "risk_10v10_d6": risk_10v10_d6,
    "oppose_max_10v8_d20": oppose_max_10v8_d20,
    "wod_20_x20": wod_20_x20,
    "dnd_attack_x4": dnd_attack_x4,
    "ability_best_of_6": lambda: highest(kept(H(6), 4, 3), 6),
    "mixed_kh5_20": mixed_kh5_20,
    "d6_d6": lambda: expand(lambda n: n.outcome @ H(6), H(6), **EVERYTHING),
    "d20_d20": lambda: expand(lambda n: n.outcome @ H(20), H(20), **EVERYTHING),
    "sum100_vs_sum100": sum100_vs_sum100,
}


if __name__ == "__main__":
    answer.main(JOBS, lambda result: dict(result.items()))
