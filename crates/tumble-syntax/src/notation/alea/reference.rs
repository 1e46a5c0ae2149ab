//! Everything that can be written in Alea, each with an example.

use crate::Piece;

/// The rows of the reference.
pub(super) const PIECES: &[Piece] = &[
    piece("Rolls", "dS", "a die with the faces 1 to S", "d20"),
    piece("Rolls", "NdS", "N dice, added up", "3d6"),
    piece("Rolls", "a + b", "both added; a blank on one side of the sign is enough", "3d6 + d4 + 2"),
    piece("Rolls", "a - b", "the second taken from the first", "d20 - 2"),
    piece("Rolls", "N", "a number", "10"),
    piece("Dice", "d%", "a die with the faces 1 to 100", "d%"),
    piece("Dice", "dF", "a die with the faces -1, 0 and 1", "4dF"),
    piece("Dice", "dFN", "a die with the faces -N to N", "dF2"),
    piece("Dice", "d[X..Y]", "a die with all whole numbers from X to Y", "d[-1..1]"),
    piece("Dice", "d{X, Y, Z}", "a die with these faces, each as often as it is written", "d{1, 1, 100}"),
    piece("Dice", "d{X..Y, Z}", "a range among the faces of a list", "d{1..3, 10}"),
    piece("How to roll", "+", "advantage: every die is rolled twice and the better roll counts", "4d20+"),
    piece("How to roll", "-", "disadvantage: every die is rolled twice and the worse roll counts", "d20-"),
    piece("How to roll", "M", "maximize: every die shows its largest face", "3d6M"),
    piece("How to roll", "m", "minimize: every die shows its smallest face", "d20m"),
    piece("Explode", "!", "each die that shows its largest face adds another die", "d20!"),
    piece("Explode", "!N", "each die that shows N or more adds another die", "d20!18"),
    piece("Explode", "!dT", "what is added is a dT", "d6!d4"),
    piece("Explode", "!NdT", "from N on, a dT is added", "d6!5d4"),
    piece("Explode", "!!", "added dice explode too, without end", "d6!!"),
    piece("Explode", "!!N", "the same from N on", "d20!!18"),
    piece("Explode", "!!dT", "the same, and what is added is a dT", "d6!!d8"),
    piece("Explode", "!!NdT", "the same from N on with a dT", "d6!!5d8"),
    piece("Keep", "K", "keep one die, chosen at random", "2d20K"),
    piece("Keep", "KN", "keep N dice, chosen at random", "3d20K2"),
    piece("Keep", "KR", "keep one die, chosen at random", "3d6KR"),
    piece("Keep", "KNR", "keep N dice, chosen at random", "3d20K2R"),
    piece("Keep", "KH", "keep the highest die", "2d20KH"),
    piece("Keep", "KNH", "keep the N highest dice; `KHN` is the same", "4d6K3H"),
    piece("Keep", "KL", "keep the lowest die", "2d20KL"),
    piece("Keep", "KNL", "keep the N lowest dice; `KLN` is the same", "3d20K2L"),
    piece("Drop", "D", "drop one die, chosen at random", "2d20D"),
    piece("Drop", "DN", "drop N dice, chosen at random", "3d20D2"),
    piece("Drop", "DR", "drop one die, chosen at random", "3d6DR"),
    piece("Drop", "DNR", "drop N dice, chosen at random", "3d20D2R"),
    piece("Drop", "DH", "drop the highest die", "2d20DH"),
    piece("Drop", "DNH", "drop the N highest dice; `DHN` is the same", "3d20D2H"),
    piece("Drop", "DL", "drop the lowest die", "4d6DL"),
    piece("Drop", "DNL", "drop the N lowest dice; `DLN` is the same", "3d20D2L"),
    piece("Count", "C", "how many dice there are, in place of their sum", "2d6!C"),
    piece("Count", "C>N", "how many dice show more than N", "5d6C>4"),
    piece("Count", "C>=N", "how many dice show N or more", "5d6C>=5"),
    piece("Count", "C<N", "how many dice show less than N", "4dFC<0"),
    piece("Count", "C<=N", "how many dice show N or less", "5d6C<=2"),
    piece("Count", "CM", "how many dice show the largest face they have", "5d6CM"),
    piece("Count", "Cm", "how many dice show the smallest face they have", "5d6Cm"),
    piece("Count", "C!", "how many dice exploded", "3d6!C!"),
];

const fn piece(group: &'static str, spelling: &'static str, meaning: &'static str, example: &'static str) -> Piece {
    Piece { group, spelling, meaning, example }
}
