"""Every job of ../jobs.jsonl in icepool, each in the fastest way that was found to write it there."""

import functools
import math

import icepool
from icepool import Again, Deck, Die, MultisetEvaluator, Order, Pool, UnsupportedOrder, d

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


class Walk(MultisetEvaluator):
    """A rule over the faces of a pool, given as a start, a step and an end; the fewer states, the faster."""

    def __init__(self, start, step, end=None, order=Order.Ascending):
        self.start, self.step, self.end, self.way = start, step, end, order

    def initial_state(self, order, outcomes, *sizes):
        if order != self.way:
            raise UnsupportedOrder()
        return self.start

    def next_state(self, state, order, outcome, *counts):
        return self.step(state, outcome, *counts)

    def final_outcome(self, final_state, order, outcomes, *sizes):
        return self.end(final_state) if self.end else final_state


def faces_at_least(pool, times):
    """How many faces show at least so often."""
    return Walk(0, lambda found, _, count: found + (count >= times)).evaluate(pool)


def folded(times, die, merge):
    """A fold over equal dice by doubling."""
    if times == 1:
        return die
    half = folded(times // 2, die, merge)
    both = icepool.map(merge, half, half)
    return icepool.map(merge, both, die) if times % 2 else both


def product(times, faces):
    return Walk(1, lambda product, face, count: product * face**count).evaluate(d(faces).pool(times))


def hand(pool):
    """Poker dice: the largest set up to five, and how many sets there are up to two."""

    def step(state, _, count):
        largest, sets = state
        return min(max(largest, count), 5), min(sets + (count >= 2), 2)

    def rank(state):
        largest, sets = state
        if largest >= 4:
            return largest + 1
        if largest == 3:
            return 4 if sets == 2 else 3
        return sets

    return Walk((0, 0), step, rank).evaluate(pool)


def full_house(pool):
    """1 if one face shows three times or more and another one twice or more."""
    return hand_of(pool, lambda three, sets: int(three and sets >= 2))


def hand_of(pool, verdict):
    def step(state, _, count):
        three, sets = state
        return three or count >= 3, min(sets + (count >= 2), 2)

    return Walk((False, 0), step, lambda state: verdict(*state)).evaluate(pool)


def exactly(pool, times):
    """How many faces show exactly so often."""
    return Walk(0, lambda found, _, count: found + (count == times)).evaluate(pool)


def deck(ranks):
    return Deck({rank: 4 for rank in range(1, ranks + 1)})


def suits(ranks):
    return Deck({suit: ranks for suit in range(4)})


def largest_ones(times, faces, score):
    """The highest face, and given that, how many of the dice show it."""

    def shown(highest):
        if highest == 1:
            return Die([score(1, times)])
        some = Die([0, 1], times=[highest - 1, 1]).pool(times).sum()
        return some.reroll([0], depth="inf").map(lambda count: score(highest, count))

    return d(faces).highest(times).map(shown)


def sum_between(pool):
    """The sum without the dice that equal the largest or the smallest."""

    def step(state, face, count):
        if not count:
            return state
        if state is None:
            return 0, 0
        before, last = state
        return before + last, face * count

    return Walk(None, step, lambda state: state[0]).evaluate(pool)


def rest_count_and_different(first, second):
    def step(state, _, count):
        return state[0] + count, state[1] + (count > 0)

    return Walk((0, 0), step).evaluate(first - second)


def rest_sum_largest(first, second, keep):
    def step(state, face, count):
        left, total = state
        taken = min(left, count)
        return left - taken, total + taken * face

    return Walk((keep, 0), step, lambda state: state[1], Order.Descending).evaluate(first - second)


def paired(first, second):
    """How many of the pairs, the highest with the highest, the first one wins."""

    def step(state, _, mine, yours):
        ahead, won = state
        if ahead > 0:
            won += min(ahead, yours)
        return ahead + mine - yours, won

    return Walk((0, 0), step, lambda state: state[1], Order.Descending).evaluate(first, second)


def alternating(pool):
    def step(state, face, count):
        sign, total = state
        return (-sign, total + sign * face) if count % 2 else state

    return Walk((1, 0), step, lambda state: state[1], Order.Descending).evaluate(pool)


def squared_sets(pool):
    return Walk(0, lambda total, face, count: total + face * count * count).evaluate(pool)


def matched(first, second):
    """Each die of the second pool, from the highest, is beaten by a higher die of the first if one is left."""

    def step(state, _, mine, yours):
        free, won = state
        beaten = min(free, yours)
        return free - beaten + mine, won + beaten

    return Walk((0, 0), step, lambda state: state[1], Order.Descending).evaluate(first, second)


def duel(mine, yours, faces):
    """The highest dice meet: the lower one is lost, both if they are equal; until one side has none."""

    def step(state, _, here, there):
        met, ahead = state
        if ahead:
            return state
        return met + min(here, there), (here > there) - (here < there)

    def left(state):
        met, ahead = state
        return (mine - met, 0) if ahead > 0 else (0, yours - met) if ahead < 0 else (mine - met, yours - met)

    return Walk((0, 0), step, left, Order.Descending).evaluate(d(faces).pool(mine), d(faces).pool(yours))


def streak(rolls):
    """The longest streak of sixes, step by step."""
    now = Die([(0, 0)])
    for _ in range(rolls):
        now = now.map(lambda run, best: Die([(0, best), (run + 1, max(best, run + 1))], times=[5, 1]))
    return now.map(lambda run, best: best)


def purse(rounds, start):
    """A game of one coin a round that ends at 0; a memoised recursion."""
    step = (d(6) - d(6)).map(lambda difference: (difference > 0) - (difference < 0))

    @functools.cache
    def play(left, coins):
        if left == 0 or coins == 0:
            return Die([coins])
        return step.map(lambda change: play(left - 1, coins + change))

    return play(rounds, start)


def rolls_to(goal, faces):
    """How many dice it takes to reach the goal."""

    @functools.cache
    def more(reached):
        if reached >= goal:
            return Die([0])
        return Die([more(reached + face) for face in range(1, faces + 1)]) + 1

    return more(0)


def mixed(*groups):
    return Pool([d(faces) for times, faces in groups for _ in range(times)])


OWN_FACES = [
    [1, 1, 2, 3, 5, 8],
    [2, 4, 6, 8],
    [1, 3, 5, 7, 9],
    [0, 0, 1, 1, 2],
    [1, 2, 2, 3, 3, 3],
    [5, 5, 5, 6],
    [2, 3, 5, 7],
    [1, 4, 9],
]


def own_faces(some):
    return Pool([Die(faces) for faces in OWN_FACES[:some]])


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
    "set_face_10d10": lambda: d(10).pool(10).largest_count_and_outcome(),
    "set_face_20d20": lambda: d(20).pool(20).largest_count_and_outcome(),
    "faces_twice_15d6": lambda: faces_at_least(d(6).pool(15), 2),
    "faces_thrice_40d12": lambda: faces_at_least(d(12).pool(40), 3),
    "run_10d10": lambda: d(10).pool(10).largest_straight(),
    "run_15d20": lambda: d(20).pool(15).largest_straight(),
    "product_12d6": lambda: product(12, 6),
    "product_18d10": lambda: product(18, 10),
    "lcm_20d12": lambda: folded(20, d(12), math.lcm),
    "squares_50d10": lambda: total(50, d(10).map(lambda face: face * face)),
    "fullhouse_12d6": lambda: full_house(d(6).pool(12)),
    "hand_8d6": lambda: hand(d(6).pool(8)),
    "pairs_20d20": lambda: exactly(d(20).pool(20), 2),
    "cards_fullhouse_5": lambda: full_house(deck(13).deal(5)),
    "cards_hand_7": lambda: hand(deck(13).deal(7)),
    "cards_pairs_10": lambda: exactly(deck(13).deal(10), 2),
    "cards_suit_13": lambda: suits(13).deal(13).largest_count(),
    "equal_largest_10d6": lambda: largest_ones(10, 6, lambda face, count: face * count),
    "equal_largest_30d20": lambda: largest_ones(30, 20, lambda face, count: face * count),
    "between_12d8": lambda: sum_between(d(8).pool(12)),
    "cancel_count_8v6_d6": lambda: (d(6).pool(8) - d(6).pool(6)).size(),
    "cancel_look_10v5_d10": lambda: rest_count_and_different(d(10).pool(10), d(10).pool(5)),
    "cancel_largest_12v8_d8": lambda: rest_sum_largest(d(8).pool(12), d(8).pool(8), 3),
    "pair_5v5_d10": lambda: paired(d(10).pool(5), d(10).pool(5)),
    "pair_10v8_d6": lambda: paired(d(6).pool(10).highest(8), d(6).pool(8)),
    "pair_10v10_d10": lambda: paired(d(10).pool(10), d(10).pool(10)),
    "alternate_10d10": lambda: alternating(d(10).pool(10)),
    "alternate_30d6": lambda: alternating(d(6).pool(30)),
    "squared_sets_10d10": lambda: squared_sets(d(10).pool(10)),
    "match_6v6_d6": lambda: matched(d(6).pool(6), d(6).pool(6)),
    "match_10v10_d10": lambda: matched(d(10).pool(10), d(10).pool(10)),
    "duel_8v6_d8": lambda: duel(8, 6, 8),
    "streak_60": lambda: streak(60),
    "purse_60": lambda: purse(60, 10),
    "rolls_to_60": lambda: rolls_to(60, 6),
    "mixed_set_12": lambda: mixed((3, 4), (3, 6), (3, 8), (3, 12)).largest_count_and_outcome(),
    "mixed_faces_20": lambda: faces_at_least(mixed((4, 4), (4, 6), (4, 8), (4, 10), (4, 12)), 2),
    "mixed_run_16": lambda: mixed((4, 4), (4, 6), (4, 8), (4, 10)).largest_straight(),
    "own_faces_set_5": lambda: own_faces(5).largest_count_and_outcome(),
    "own_faces_different_8": lambda: faces_at_least(own_faces(8), 1),
    "count_ge5_5000d6": lambda: (d(6) >= 5).map(lambda hit: int(hit)).pool(5000).sum(),
    "net_2000d10": lambda: total(2000, d(10).map(lambda face: (face >= 8) - (face == 1))),
    "count_largest_2000d10": lambda: largest_ones(2000, 10, lambda face, count: count),
}


if __name__ == "__main__":
    answer.main(JOBS, dict)
