//! The jobs of `../jobs.jsonl` that the notation of nice-dice can express.
//!
//! Called as `nice_dice_jobs JOB`; prints the same lines as `answer.py`. Its numbers have 64 bits and
//! wrap around without a word, so a long answer comes out wrong: the checksum shows it.

use cpu_time::ProcessTime;
use nice_dice::{Closed, Distribution};
use sha2::{Digest, Sha256};

/// Job, expression. What is not here needs pairs, pools of unequal dice, counts per face or explosions.
const JOBS: &[(&str, &str)] = &[
    ("sum_3d6", "3d6"),
    ("kh3_4d6", "4d6kh3"),
    ("sum_50d10", "50d10"),
    ("sum_1000d6", "1000d6"),
    ("sum_10000d6", "10000d6"),
    ("count_gt7_100d10", "100(d10 > 7)"),
    ("kh3_10d10", "10d10kh3"),
    ("kh50_100d10", "100d10kh50"),
    ("max_1000d1000", "1000d1000kh1"),
    ("oppose_max_10v8_d20", "[A: 10d20kh1] [B: 8d20kh1] (A > B) - (A < B)"),
    ("dnd_attack_x4", "4([X: d20] (X = 20) * (4d6 + 5) + (X < 20) * (X > 9) * (2d6 + 5))"),
    ("ability_best_of_6", "6(4d6kh3)kh1"),
    ("d6_d6", "(d6)d6"),
    ("d20_d20", "(d20)d20"),
    ("sum100_vs_sum100", "100d6 > 100d6"),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match JOBS.iter().find(|(job, _)| *job == name) {
        None => println!("cannot its notation does not express this job"),
        Some((_, text)) => run(text),
    }
}

fn run(text: &str) {
    let start = ProcessTime::now();
    let distribution = text.parse::<Closed>().and_then(|expression| expression.distribution());
    let seconds = start.elapsed().as_secs_f64();
    match distribution {
        Ok(distribution) => {
            let weights: Vec<(isize, usize)> = distribution.occurrences().filter(|(_, weight)| *weight > 0).collect();
            println!(
                "seconds {seconds:.9}\noutcomes {}\nsha256_hex {}",
                weights.len(),
                digest(&distribution, &weights)
            );
        }
        Err(error) => println!("cannot {}", error.to_string().replace('\n', " ")),
    }
}

/// The checksum as in `tumble batch`.
fn digest(distribution: &Distribution, weights: &[(isize, usize)]) -> String {
    let mut summed = Sha256::new();
    for (outcome, _) in weights {
        let chance = distribution.probability(*outcome);
        summed.update(format!("{outcome}:{:x}/{:x}\n", chance.numer(), chance.denom()));
    }
    summed.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
