"""Every job of ../jobs.jsonl in icepool, each in the fastest way that was found to write it there."""

import functools

from icepool import Again, Die, MultisetEvaluator, Order, Pool, d

import answer


def total(times, die):
    """The sum of equal dice by doubling. `times @ die` says the same, but takes up to eight times as long."""
    if times == 1:
        return die
    half = total(times // 2, die)
    return half + half + die if times % 2 else half + half


def joint_maxmin_20d20():
    low_high = d(20).pool(20).keep([1] + [0] * 18 + [1]).expand()
    return low_high.map(lambda pair: (pair[1], pair[0]))


def fullhouse_5d6():
    return d(6).pool(5).all_counts().map(lambda counts: int(counts == (3, 2)))


def wins(attackers, defenders):
    """How many of the paired dice the attacker wins; the highest are paired, ties go to the defender."""
    pairs = min(attackers, defenders)
    best = d(6).pool(attackers).highest(pairs)
    return best.sort_pair(">", d(6).pool(defenders).highest(pairs)).size()


def risk_3v2():
    return wins(3, 2).map(lambda w: (2 - w, w))


@functools.cache
def battle(attackers, defenders):
    """A memoised recursion; `map(repeat='inf')` solves a linear system and takes longer."""
    if attackers < 1 or defenders < 1:
        return Die([(attackers, defenders)])
    rolled, against = min(3, attackers), min(2, defenders)
    pairs = min(rolled, against)
    return exchange(rolled, against).map(lambda w: battle(attackers - (pairs - w), defenders - w))


@functools.cache
def exchange(rolled, against):
    return wins(rolled, against)


class PairedWins(MultisetEvaluator):
    """From the highest face down: the side that is ahead in dice wins its surplus against lower ones."""

    def next_state(self, state, order, outcome, first, second):
        ahead, won, lost = state or (0, 0, 0)
        if ahead > 0:
            won += min(ahead, second)
        elif ahead < 0:
            lost += min(-ahead, first)
        return ahead + first - second, won, lost

    def final_outcome(self, final_state, order, outcomes, *sizes):
        return final_state[1:]

    def order(self):
        return Order.Descending


def risk_10v10_d6():
    return PairedWins().evaluate(d(6).pool(10), d(6).pool(10))


def wod_20_x20():
    one = Die([0, 1, 1 + Again], times=[7, 2, 1], again_depth=20)
    return total(20, one)


def dnd_attack_x4():
    normal, critical = 5 + 2 @ d(6), 5 + 4 @ d(6)
    one = Die([0, normal, critical], times=[9, 10, 1])
    return total(4, one)


def mixed_kh5_20():
    dice = [d(faces) for faces in (4, 6, 8, 10, 12) for _ in range(4)]
    return Pool(dice).highest(5).sum()


JOBS = {
    "sum_3d6": lambda: d(6) + d(6) + d(6),
    "kh3_4d6": lambda: d(6).highest(4, 3),
    "sum_50d10": lambda: total(50, d(10)),
    "sum_1000d6": lambda: total(1000, d(6)),
    "sum_10000d6": lambda: total(10000, d(6)),
    "count_gt7_100d10": lambda: total(100, d(10) > 7),
    "kh3_10d10": lambda: d(10).highest(10, 3),
    "kh50_100d10": lambda: d(10).highest(100, 50),
    "max_1000d1000": lambda: d(1000).highest(1000),
    "l5r_3k5_x5": lambda: d(10).explode(depth=5).highest(5, 3),
    "joint_maxmin_20d20": joint_maxmin_20d20,
    "distinct_30d20": lambda: d(20).pool(30).unique().size(),
    "fullhouse_5d6": fullhouse_5d6,
    "risk_3v2": risk_3v2,
    "risk_battle_20v20": lambda: battle(20, 20),
    "risk_10v10_d6": risk_10v10_d6,
    "oppose_max_10v8_d20": lambda: d(20).highest(10).cmp(d(20).highest(8)),
    "wod_20_x20": wod_20_x20,
    "dnd_attack_x4": dnd_attack_x4,
    "ability_best_of_6": lambda: d(6).highest(4, 3).highest(6),
    "mixed_kh5_20": mixed_kh5_20,
    "d6_d6": lambda: d(6) @ d(6),
    "d20_d20": lambda: d(20) @ d(20),
    "sum100_vs_sum100": lambda: total(100, d(6)) > total(100, d(6)),
}


if __name__ == "__main__":
    answer.main(JOBS, dict)
