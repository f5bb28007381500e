//! Options of a match that hold several values in one argument.

use anyhow::{Context, Result, bail, ensure};

use crate::runner::tournament::adjudication::{DrawRule, ResignationRule};
use crate::statistics::{Model, Sprt};

fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Reads `MOVES,CP` or `MOVES,CP,both`.
///
/// # Errors
/// Says what would be right.
pub(super) fn parse_resignation(text: &str) -> Result<ResignationRule> {
    let (counts, both) = match text.strip_suffix(",both") {
        Some(counts) => (counts, true),
        None => (text, false),
    };
    let [moves, score] = numbers(counts)
        .with_context(|| format!("--resign {text}: write MOVES,CP as 3,600, or 3,600,both"))?;
    ensure!(moves > 0, "--resign {text}: at least one move");
    Ok(ResignationRule { moves, score: i32::try_from(score).unwrap_or(i32::MAX), both })
}

/// Reads a list of processor cores such as `0-3,8`.
///
/// # Errors
/// Says what would be right.
pub(super) fn parse_cores(text: &str) -> Result<Vec<usize>> {
    let wrong = || format!("--cores {text}: write numbers and ranges, as 0-3,8");
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.trim().parse().with_context(wrong)?;
        let last: usize = last.trim().parse().with_context(wrong)?;
        ensure!(first <= last && last < 1 << 16, wrong());
        cores.extend(first..=last);
    }
    let mut sorted = cores.clone();
    sorted.sort_unstable();
    sorted.dedup();
    ensure!(sorted.len() == cores.len(), "--cores {text}: a core is named twice");
    Ok(cores)
}

/// Reads `FROM,MOVES,CP`.
///
/// # Errors
/// Says what would be right.
pub(super) fn parse_draw_rule(text: &str) -> Result<DrawRule> {
    let [from, moves, score] =
        numbers(text).with_context(|| format!("--draw {text}: write FROM,MOVES,CP as 40,8,10"))?;
    ensure!(moves > 0, "--draw {text}: at least one move");
    Ok(DrawRule { from, moves, score: i32::try_from(score).unwrap_or(i32::MAX) })
}

/// Reads `I/N`: the number of the shard, from 0, and how many there are.
///
/// # Errors
/// Says what would be right.
pub(super) fn parse_shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(number, count)| {
        let (number, count): (u64, u64) = (number.parse().ok()?, count.parse().ok()?);
        (1 <= number && number <= count).then(|| (number - 1, count))
    });
    parts.with_context(|| format!("--shard {text}: write I/N with I from 1 to N, as 1/8"))
}

/// Reads the parameters of a sequential test.
///
/// # Errors
/// Names the parameter that is wrong.
pub(super) fn parse_sprt(text: &str) -> Result<Sprt> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let separates = |c: char| c.is_whitespace() || c == ',';
    for parameter in text.split(separates).filter(|word| !word.is_empty()) {
        let wrong = || {
            format!(
                "--sprt: '{parameter}' is wrong; write elo0= elo1= alpha= beta= model=normalized|logistic"
            )
        };
        let (key, value) = parameter.split_once('=').with_context(wrong)?;
        let number = || -> Result<f64> {
            let number: Option<f64> = value.parse().ok();
            number.filter(|number| number.is_finite()).with_context(wrong)
        };
        match key {
            "elo0" => sprt.elo0 = number()?,
            "elo1" => sprt.elo1 = number()?,
            "alpha" => sprt.alpha = number()?,
            "beta" => sprt.beta = number()?,
            "model" if value == "normalized" => sprt.model = Model::Normalized,
            "model" if value == "logistic" => sprt.model = Model::Logistic,
            _ => bail!(wrong()),
        }
    }
    ensure!(sprt.elo0 < sprt.elo1, "--sprt: elo0 must be below elo1");
    let error_rate = |rate: f64| rate > 0.0 && rate < 0.5;
    ensure!(
        error_rate(sprt.alpha) && error_rate(sprt.beta),
        "--sprt: alpha and beta lie between 0 and 0.5"
    );
    Ok(sprt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(parse_shard("1/8").unwrap(), (0, 8));
        assert_eq!(parse_shard("8/8").unwrap(), (7, 8));
        for wrong in ["0/8", "9/8", "1", "a/b", "1/0"] {
            assert!(parse_shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn cores_are_numbers_and_ranges() {
        assert_eq!(parse_cores("0-3,8").unwrap(), [0, 1, 2, 3, 8]);
        assert_eq!(parse_cores("5").unwrap(), [5]);
        for wrong in ["", "3-1", "a", "1,1", "0-2,1", "-1", "0-99999999"] {
            assert!(parse_cores(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn resignation_may_need_both_sides() {
        assert!(!parse_resignation("3,600").unwrap().both);
        assert!(parse_resignation("3,600,both").unwrap().both);
        for wrong in ["3", "3,600,one", "0,600", "3,600,both,both"] {
            assert!(parse_resignation(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parameters_of_a_sequential_test_are_checked() {
        let sprt = parse_sprt("elo0=-2 elo1=3 model=logistic").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-2.0, 3.0, Model::Logistic));
        assert_eq!(parse_sprt("elo0=-2,elo1=3, model=logistic").unwrap(), sprt);
        for wrong in ["elo0=5 elo1=0", "elo2=3", "alpha=0.7", "model=bayes", "elo1=nan", "x"] {
            assert!(parse_sprt(wrong).is_err(), "{wrong}");
        }
    }
}
