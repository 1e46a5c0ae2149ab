//! `cargo xtask soak dialects`: other tools rolled beside our dialects of them.
//!
//! Random texts of a tool's grammar are rolled by the tool itself, which is installed into `target/` if it is missing, and
//! counted by `tumble odds`. The tallies are compared with the exact distribution by Pearson's chi-square: outcomes that are
//! expected fewer than five times are put together, and the limit is far beyond chance.

use crate::shell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Random texts of each tool, and how often each is rolled.
const TEXTS: usize = 400;
const ROLLS: u64 = 2000;

/// A rule of a grammar: a name and what it may be; `«name»` stands for another rule.
type Rule = (&'static str, &'static [&'static str]);

/// A tool that can be installed.
struct Tool {
    name: &'static str,
    notation: &'static str,
    grammar: &'static [Rule],
    /// Installs it into a folder.
    install: fn(&Path) -> Vec<Command>,
    /// Rolls each line of its input.
    roll: fn(&Path, &Path) -> Command,
}

const COMMON: &[Rule] = &[
    ("n", &["1", "2", "3", "4", "5"]),
    ("die", &["d4", "d6", "d8", "d10"]),
    ("some", &["2", "3", "4", "5"]),
    ("sum", &["«dice»", "«dice»", "«dice»", "«dice»+«n»", "«dice»-«dice»", "«n»*«dice»", "(«dice»+«n»)*2"]),
];

const D20: &[Rule] = &[
    (
        "text",
        &["«sum»", "«sum»", "(«dice», «dice», «n»)kh1", "(«dice», «dice»)kl1", "«dice» // 2", "«dice» >= «n»", "1d%"],
    ),
    ("dice", &["«some»«die»«mod»", "«some»«die»«mod»«mod»", "«some»«die»", "«die»«mod»"]),
    (
        "mod",
        &[
            "kh«n»", "kl«n»", "k«n»", "k>«n»", "k<«n»", "ph1", "pl1", "p«n»", "p<«n»", "ro«n»", "ro<«n»", "rol1",
            "roh1", "rr1", "rr<3", "ra«n»", "ral1", "e4", "mi«n»", "ma«n»", "kh1kl1", "ro1ro2", "p1p2",
        ],
    ),
];

const RPG_DICE_ROLLER: &[Rule] = &[
    (
        "text",
        &[
            "«sum»",
            "«sum»",
            "{«dice»,«dice»}kh1",
            "{«some»«die»}kh2",
            "{«dice»,«n»}kl1",
            "floor(«dice»/2)",
            "4dF.1",
            "3dF",
        ],
    ),
    ("dice", &["«some»«die»«mod»", "«some»«die»«mod»«mod»", "«some»«die»", "«die»«mod»", "«some»«die»«count»"]),
    (
        "mod",
        &[
            "kh«n»", "kl«n»", "k«n»", "dh1", "dl1", "d1", "ro", "ro<«n»", "r1", "r<3", "min«n»", "max«n»", "!", "!!",
            "!p", "!>=4", "u", "uo", "sa", "sd", "cs>3",
        ],
    ),
    ("count", &[">«n»", "<«n»", "=«n»", ">=4f1", ">3f<2"]),
];

const TOOLS: &[Tool] = &[
    Tool {
        name: "d20",
        notation: "avrae",
        grammar: D20,
        install: |folder| {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv"]).arg(folder);
            let mut pip = Command::new(folder.join("bin/pip"));
            pip.args(["install", "--quiet", "d20==1.1.2"]);
            vec![venv, pip]
        },
        roll: |root, folder| {
            let mut command = Command::new(folder.join("bin/python"));
            command.arg(root.join("bench/peers/dialects/d20_rolls.py")).arg(ROLLS.to_string());
            command
        },
    },
    Tool {
        name: "rpg-dice-roller",
        notation: "rpg-dice-roller",
        grammar: RPG_DICE_ROLLER,
        install: |folder| {
            let mut npm = Command::new("npm");
            npm.args(["install", "--silent", "--prefix"]).arg(folder).arg("@dice-roller/rpg-dice-roller@5.5.1");
            vec![npm]
        },
        roll: |root, folder| {
            let mut command = Command::new("node");
            command.arg(root.join("bench/peers/dialects/rpg_dice_roller_rolls.mjs")).arg(ROLLS.to_string()).arg(folder);
            command
        },
    },
];

/// Rolls every tool beside us; fails if one disagrees.
pub(crate) fn dialects() -> ExitCode {
    let root = shell::root();
    let mut wrong = 0;
    for tool in TOOLS {
        match compared(&root, tool) {
            Ok((texts, found)) => {
                println!("{}: {texts} texts compared, {} differ", tool.name, found.len());
                found.iter().for_each(|text| println!("  {text}"));
                wrong += found.len();
            }
            Err(why) => {
                eprintln!("{}: {why}", tool.name);
                wrong += 1;
            }
        }
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many texts were compared, and those on which we differ.
fn compared(root: &Path, tool: &Tool) -> Result<(usize, Vec<String>), String> {
    let target = shell::target(root);
    let folder = target.join("dialects").join(tool.name);
    if !folder.exists() {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for mut command in (tool.install)(&folder) {
            if !command.status().is_ok_and(|status| status.success()) {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(format!("it could not be installed with {command:?}"));
            }
        }
    }
    let mut build = shell::cargo();
    build.args(["build", "--quiet", "--package", "tumble-cli"]).current_dir(root);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err("the program does not build".into());
    }
    let texts = texts(tool.grammar);
    let tallies = rolled((tool.roll)(root, &folder), &texts)?;
    let (mut count, mut wrong) = (0, Vec::new());
    for (text, tally) in texts.iter().zip(&tallies) {
        let (Some(tally), Some(odds)) = (tally, odds(&target.join("debug/tumble"), tool.notation, text)) else {
            continue;
        };
        count += 1;
        wrong.extend(differs(tally, &odds).map(|why| format!("{text}: {why}")));
    }
    if 3 * count < texts.len() {
        return Err(format!("only {count} of {} texts could be compared", texts.len()));
    }
    Ok((count, wrong))
}

/// Random texts, always the same.
fn texts(grammar: &[Rule]) -> Vec<String> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut pick = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap_or(0) % n
    };
    (0..TEXTS).map(|_| written(grammar, "text", &mut pick)).collect()
}

fn written(grammar: &[Rule], rule: &str, pick: &mut dyn FnMut(usize) -> usize) -> String {
    let Some((_, choices)) = grammar.iter().chain(COMMON).find(|(name, _)| *name == rule) else {
        return rule.to_owned();
    };
    let mut out = String::new();
    for (number, piece) in choices[pick(choices.len())].split(['«', '»']).enumerate() {
        if number % 2 == 0 { out.push_str(piece) } else { out.push_str(&written(grammar, piece, pick)) }
    }
    out
}

/// How often each total came; a whole number each, or nothing is known.
type Tally = BTreeMap<i64, u64>;

/// The tallies of a tool, none where it refuses a text or does not give whole numbers.
fn rolled(mut command: Command, texts: &[String]) -> Result<Vec<Option<Tally>>, String> {
    let run = || -> std::io::Result<std::process::Output> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = texts.join("\n") + "\n";
        let mut stdin = child.stdin.take();
        let writer = std::thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output()?;
        let _ = writer.join();
        Ok(output)
    };
    let mut run = run;
    let output = run().map_err(|error| format!("it could not be run: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let tallies: Vec<Option<Tally>> = printed.lines().map(tally).collect();
    if tallies.len() == texts.len() {
        Ok(tallies)
    } else {
        Err(format!("{} of {} lines came", tallies.len(), texts.len()))
    }
}

fn tally(line: &str) -> Option<Tally> {
    let numbers: Vec<&str> = line.split_whitespace().collect();
    numbers.chunks(2).map(|pair| Some((pair.first()?.parse().ok()?, pair.get(1)?.parse().ok()?))).collect()
}

/// Our exact distribution, where every outcome is a whole number; what is not listed has the rest of the chance.
fn odds(program: &Path, notation: &str, text: &str) -> Option<BTreeMap<i64, f64>> {
    let output = Command::new(program).args(["odds", "-n", notation, "--format", "csv", text]).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = |line: &str| {
        let mut cells = line.rsplit(',');
        let (chance, _, outcome) = (cells.next()?.parse().ok()?, cells.next()?, cells.next()?.parse().ok()?);
        Some((outcome, chance))
    };
    printed.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect()
}

/// Why a tally can't come from a distribution.
fn differs(tally: &Tally, odds: &BTreeMap<i64, f64>) -> Option<String> {
    let rolls = tally.values().sum::<u64>() as f64;
    let listed: f64 = odds.values().sum();
    let (mut chi, mut classes, mut rare, mut rarely) = (0.0, 0u32, 1.0 - listed, 0.0);
    for (outcome, count) in tally {
        match odds.get(outcome) {
            None if listed > 1.0 - 1e-9 => return Some(format!("{outcome} came {count} times, which can't be")),
            None => rarely += *count as f64,
            Some(_) => {}
        }
    }
    for (outcome, chance) in odds {
        let (expected, came) = (chance * rolls, tally.get(outcome).copied().unwrap_or(0) as f64);
        if expected < 5.0 {
            rare += chance;
            rarely += came;
        } else {
            chi += (came - expected).powi(2) / expected;
            classes += 1;
        }
    }
    if rare * rolls >= 1.0 {
        chi += (rarely - rare * rolls).powi(2) / (rare * rolls);
        classes += 1;
    }
    let free = f64::from(classes.max(2) - 1);
    // Six standard deviations of chi-square, and some room where it is skewed.
    let limit = free + 6.0 * (2.0 * free).sqrt() + 12.0;
    (chi > limit).then(|| format!("chi-square {chi:.1} with {free} degrees of freedom"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_distribution_is_found() {
        let fair: Tally = (1..=4).map(|face| (face, 500)).collect();
        let odds = |chances: [f64; 4]| (1..=4).zip(chances).collect::<BTreeMap<i64, f64>>();
        assert_eq!(differs(&fair, &odds([0.25; 4])), None);
        assert!(differs(&fair, &odds([0.2, 0.3, 0.25, 0.25])).is_some());
        let more: Tally = (1..=5).map(|face| (face, 400)).collect();
        assert!(differs(&more, &odds([0.25; 4])).is_some());
    }

    #[test]
    fn texts_are_made_from_the_grammars() {
        for tool in TOOLS {
            let made = texts(tool.grammar);
            assert!(made.iter().all(|text| !text.contains(['«', '»'])));
            assert_eq!(made, texts(tool.grammar));
        }
    }
}
