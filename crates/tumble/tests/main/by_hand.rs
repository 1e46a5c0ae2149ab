//! The headline of every recipe, counted from the rule of the game: every way the dice can fall is looked at, or the
//! ways in which dice without an end can fall up to the number that matters. Nothing of Tumble is used here.
//!
//! An answer is a number of ways, or their sum, over the number of all ways.

/// A fraction, not reduced.
pub(crate) type Ratio = (u128, u128);

/// How a headline is counted.
type Count = fn() -> Ratio;

/// The title of every recipe, and how its headline is counted.
pub(crate) const COUNTED: &[(&str, Count)] = &[
    ("D&D 5e: an attack", attack),
    ("D&D: ability scores", ability_scores),
    ("Pathfinder 2e: degrees of success", degrees),
    ("Traveller: boon and bane", boon),
    ("GURPS: success and critical success", gurps),
    ("Call of Cthulhu: bonus dice", bonus_die),
    ("Powered by the Apocalypse: a move", apocalypse),
    ("Fate: shifts against opposition", fate),
    ("Blades in the Dark: an action", blades),
    ("Ironsworn: hits and matches", ironsworn),
    ("Cortex Prime: total and effect", cortex),
    ("Star Wars FFG: symbols", star_wars),
    ("World of Darkness: successes and botches", world_of_darkness),
    ("Exalted: tens count twice", exalted),
    ("Shadowrun: hits and glitches", shadowrun),
    ("Year Zero: pushing a roll", year_zero),
    ("L5R: roll and keep", roll_and_keep),
    ("Savage Worlds: trait and wild die", savage_worlds),
    ("Silhouette: the highest die and its sixes", silhouette),
    ("Feng Shui: open dice both ways", feng_shui),
    ("Risk: three against two", risk),
    ("Backgammon: hitting a blot", backgammon),
    ("Yahtzee: five of a kind", yahtzee),
    ("Craps: the pass line", craps),
    ("Warhammer 40,000: hit, wound, save", warhammer),
];

/// The sum of what `worth` says of every way in which dice with so many sides can fall, over the number of ways.
fn mean(sides: &[i64], worth: impl Fn(&[i64]) -> i64) -> Ratio {
    let mut shown = vec![1; sides.len()];
    let (mut sum, mut ways) = (0, 0);
    loop {
        sum += u128::try_from(worth(&shown)).unwrap();
        ways += 1;
        let Some(next) = (0..sides.len()).find(|die| shown[*die] < sides[*die]) else { return (sum, ways) };
        shown[..next].fill(1);
        shown[next] += 1;
    }
}

/// In how many of the ways something holds.
fn chance(sides: &[i64], holds: impl Fn(&[i64]) -> bool) -> Ratio {
    mean(sides, |shown| i64::from(holds(shown)))
}

fn showing(shown: &[i64], face: i64) -> usize {
    shown.iter().filter(|die| **die == face).count()
}

/// The dice from high to low.
fn sorted(shown: &[i64]) -> Vec<i64> {
    let mut dice = shown.to_vec();
    dice.sort_by_key(|die| -die);
    dice
}

/// Two d20, and both d8 that a critical hit needs.
fn attack() -> Ratio {
    mean(&[20, 20, 8, 8], |shown| match shown[0].max(shown[1]) {
        20 => shown[2] + shown[3] + 4,
        1 => 0,
        natural if natural + 7 >= 16 => shown[2] + 4,
        _ => 0,
    })
}

/// All six scores stay below 16, or not.
fn ability_scores() -> Ratio {
    let (below, ways) = chance(&[6; 4], |shown| sorted(shown)[..3].iter().sum::<i64>() < 16);
    (ways.pow(6) - below.pow(6), ways.pow(6))
}

fn degrees() -> Ratio {
    let (modifier, dc) = (12, 20);
    chance(&[20], |shown| {
        let degree = match shown[0] + modifier {
            total if total >= dc + 10 => 3,
            total if total >= dc => 2,
            total if total <= dc - 10 => 0,
            _ => 1,
        };
        let degree = match shown[0] {
            20 => (degree + 1).min(3),
            1 => (degree - 1).max(0),
            _ => degree,
        };
        degree == 3
    })
}

fn boon() -> Ratio {
    chance(&[6; 3], |shown| sorted(shown)[..2].iter().sum::<i64>() + 1 >= 8)
}

/// 3 and 4 are always critical, 5 from a skill of 15 on, 6 from 16 on.
fn gurps() -> Ratio {
    let skill = 16;
    chance(&[6; 3], |shown| match shown.iter().sum::<i64>() {
        3 | 4 => true,
        5 => skill >= 15,
        6 => skill >= 16,
        _ => false,
    })
}

/// The die for the units, and two for the tens; a die that shows 10 is a 0.
fn bonus_die() -> Ratio {
    let read = |tens: i64, units: i64| match (tens % 10) * 10 + units % 10 {
        0 => 100,
        number => number,
    };
    chance(&[10; 3], |shown| read(shown[1], shown[0]).min(read(shown[2], shown[0])) <= 60)
}

fn apocalypse() -> Ratio {
    chance(&[6, 6], |shown| shown[0] + shown[1] + 1 >= 7)
}

/// A Fate die is a d3 less 2; both sides have four.
fn fate() -> Ratio {
    chance(&[3; 8], |shown| {
        let total = |dice: &[i64]| dice.iter().map(|die| die - 2).sum::<i64>();
        total(&shown[..4]) + 3 >= total(&shown[4..]) + 2 + 3
    })
}

fn blades() -> Ratio {
    chance(&[6; 3], |shown| showing(shown, 6) >= 2)
}

fn ironsworn() -> Ratio {
    chance(&[6, 10, 10], |shown| {
        let score = (shown[0] + 2).min(10);
        score > shown[1] && score > shown[2]
    })
}

fn cortex() -> Ratio {
    chance(&[6, 8, 8, 10], |shown| sorted(shown).iter().take(2).filter(|die| **die > 1).sum::<i64>() >= 11)
}

/// s success, a advantage, f failure, t threat; a triumph counts as a success.
fn star_wars() -> Ratio {
    const ABILITY: [&str; 8] = ["", "s", "s", "ss", "a", "a", "sa", "aa"];
    const PROFICIENCY: [&str; 12] = ["", "s", "s", "ss", "ss", "a", "sa", "sa", "sa", "aa", "aa", "s"];
    const DIFFICULTY: [&str; 8] = ["", "f", "ff", "t", "t", "t", "tt", "ft"];
    chance(&[8, 8, 12, 8, 8], |shown| {
        let face = |die: usize, faces: &[&'static str]| faces[usize::try_from(shown[die]).unwrap() - 1];
        let all =
            [face(0, &ABILITY), face(1, &ABILITY), face(2, &PROFICIENCY), face(3, &DIFFICULTY), face(4, &DIFFICULTY)];
        let signs = all.concat();
        signs.matches('s').count() > signs.matches('f').count()
    })
}

/// All that stays below three successes, so that at most two tens are rolled again: in eight rolls it is decided.
fn world_of_darkness() -> Ratio {
    fn below(dice: u32, successes: u32, rolls_left: u32) -> u128 {
        match (dice, successes) {
            (_, 3..) => 0,
            (0, _) => 10_u128.pow(rolls_left),
            _ => (1..=10)
                .map(|face| match face {
                    10 => below(dice, successes + 1, rolls_left - 1),
                    7.. => below(dice - 1, successes + 1, rolls_left - 1),
                    _ => below(dice - 1, successes, rolls_left - 1),
                })
                .sum(),
        }
    }
    let ways = 10_u128.pow(8);
    (ways - below(6, 0, 8), ways)
}

/// Six faces of each die bring nothing, three bring one success and one brings two.
fn exalted() -> Ratio {
    let score = |kind: i64| [0, 1, 2][usize::try_from(kind).unwrap() - 1];
    let ways = |kind: i64| [6, 3, 1][usize::try_from(kind).unwrap() - 1];
    let reached = |shown: &[i64]| shown.iter().map(|kind| score(*kind)).sum::<i64>() >= 5;
    let all = |shown: &[i64]| shown.iter().map(|kind| ways(*kind)).product::<i64>();
    let (sum, _) = mean(&[3; 8], |shown| if reached(shown) { all(shown) } else { 0 });
    (sum, 10_u128.pow(8))
}

fn shadowrun() -> Ratio {
    chance(&[6; 5], |shown| showing(shown, 1) * 2 > 5 && showing(shown, 5) + showing(shown, 6) == 0)
}

/// The second four dice are what the first four show after the push, if they are rolled again.
fn year_zero() -> Ratio {
    chance(&[6; 8], |shown| {
        (0..4).any(|die| match shown[die] {
            1 => false,
            6 => true,
            _ => shown[die + 4] == 6,
        })
    })
}

/// A die is worth 1 to 9 in 10 of 100 cases each, 11 to 19 in one of 100 each, and else it reaches 20 on its own.
fn roll_and_keep() -> Ratio {
    let worth = |class: i64| if class <= 9 { class } else { class + 1 };
    let ways = |class: i64| if class <= 9 { 10 } else { 1 };
    let (sum, _) = mean(&[19; 5], |shown| {
        let kept: i64 = sorted(shown)[..3].iter().map(|class| worth(*class)).sum();
        if kept >= 20 { shown.iter().map(|class| ways(*class)).product() } else { 0 }
    });
    (sum, 100_u128.pow(5))
}

/// The d8, the wild die and its second roll; a third one adds to what has reached 12.
fn savage_worlds() -> Ratio {
    chance(&[8, 6, 6], |shown| {
        let wild = if shown[1] == 6 { 6 + shown[2] } else { shown[1] };
        shown[0] == 8 || wild >= 8
    })
}

fn silhouette() -> Ratio {
    chance(&[6; 4], |shown| {
        let further = showing(shown, 6).saturating_sub(1);
        sorted(shown)[0] + i64::try_from(further).unwrap() >= 7
    })
}

/// A die shows some sixes and then 1 to 5. The good die shows d sixes more than the bad one in 5/7 · 6^-|d| of all
/// rolls, so it shows at least one more in 1/7 of them and at least two more in 1/42. What the last faces lack of 5,
/// which is 1 to 9, must come from sixes.
fn feng_shui() -> Ratio {
    let lacking = |shown: &[i64]| 5 - (shown[0] - shown[1]);
    let (sum, ways) = mean(&[5, 5], |shown| if lacking(shown) <= 6 { 6 } else { 1 });
    (sum, ways * 42)
}

fn risk() -> Ratio {
    chance(&[6; 5], |shown| {
        let (attacker, defender) = (sorted(&shown[..3]), sorted(&shown[3..]));
        attacker[0] > defender[0] && attacker[1] > defender[1]
    })
}

/// Where a checker may stand after some of its moves.
fn backgammon() -> Ratio {
    chance(&[6, 6], |shown| {
        let (a, b) = (shown[0], shown[1]);
        let reached = if a == b { vec![a, 2 * a, 3 * a, 4 * a] } else { vec![a, b, a + b] };
        reached.contains(&6)
    })
}

/// The ways to five of a kind, each roll counted as if all five dice were rolled.
fn yahtzee() -> Ratio {
    fn ways(held: usize, rolls: u32) -> u128 {
        if rolls == 0 {
            return u128::from(held == 5);
        }
        let free = vec![6; 5 - held];
        let mut next = [0_u128; 6];
        for (best, count) in next.iter_mut().enumerate() {
            let most =
                |shown: &[i64]| (1..=6).map(|face| showing(shown, face) + if face == 1 { held } else { 0 }).max();
            *count = chance(&free, |shown| most(shown) == Some(best)).0 * 6_u128.pow(u32::try_from(held).unwrap());
        }
        (1..=5).filter(|best| next[*best] > 0).map(|best| next[best] * ways(best, rolls - 1)).sum()
    }
    (ways(0, 3), 7776_u128.pow(3))
}

/// A point is made before a 7 in as many of all cases as it has ways among its own and those of 7.
fn craps() -> Ratio {
    let ways = |sum: i64| chance(&[6, 6], |shown| shown[0] + shown[1] == sum).0;
    (2..=12).fold((0, 1), |(won, of), sum| {
        let (made, decided) = match sum {
            7 | 11 => (1, 1),
            2 | 3 | 12 => (0, 1),
            point => (ways(point), ways(point) + ways(7)),
        };
        let part = (ways(sum) * made, 36 * decided);
        (won * part.1 + part.0 * of, of * part.1)
    })
}

/// One shot is three dice; then every list of shots that go through or not.
fn warhammer() -> Ratio {
    let (through, ways) = chance(&[6; 3], |shown| shown[0] >= 3 && shown[1] >= 4 && shown[2] < 5);
    let lists = (0..1_u32 << 10).filter(|shots| shots.count_ones() >= 3);
    let sum = lists.map(|shots| through.pow(shots.count_ones()) * (ways - through).pow(10 - shots.count_ones())).sum();
    (sum, ways.pow(10))
}
