//! Options of a match that are several words in one.

use anyhow::{Context, Result, bail, ensure};

use crate::runner::setup::{DrawRule, Resignation};
use crate::statistics::{Model, Sprt};

fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Reads `MOVES,CP`.
///
/// # Errors
/// Says what would be right.
pub fn parse_resignation(text: &str) -> Result<Resignation> {
    let [moves, score] =
        numbers(text).with_context(|| format!("--resign {text}: write MOVES,CP as 3,600"))?;
    ensure!(moves > 0, "--resign {text}: at least one move");
    Ok(Resignation { moves, score: i32::try_from(score).unwrap_or(i32::MAX) })
}

/// Reads `FROM,MOVES,CP`.
///
/// # Errors
/// Says what would be right.
pub fn parse_draw_rule(text: &str) -> Result<DrawRule> {
    let [from, moves, score] =
        numbers(text).with_context(|| format!("--draw {text}: write FROM,MOVES,CP as 40,8,10"))?;
    ensure!(moves > 0, "--draw {text}: at least one move");
    Ok(DrawRule { from, moves, score: i32::try_from(score).unwrap_or(i32::MAX) })
}

/// Reads the words of a sequential test.
///
/// # Errors
/// Says which word was wrong.
pub fn parse_sprt(text: &str) -> Result<Sprt> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    for word in text.split_whitespace() {
        let wrong = || {
            format!(
                "--sprt: '{word}' is wrong; words are elo0= elo1= alpha= beta= model=normalized|logistic"
            )
        };
        let (key, value) = word.split_once('=').with_context(wrong)?;
        let number = || -> Result<f64> {
            let number: f64 = value.parse().with_context(wrong)?;
            ensure!(number.is_finite(), wrong());
            Ok(number)
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
    fn words_of_a_sequential_test_are_checked() {
        let sprt = parse_sprt("elo0=-2 elo1=3 model=logistic").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-2.0, 3.0, Model::Logistic));
        for wrong in ["elo0=5 elo1=0", "elo2=3", "alpha=0.7", "model=bayes", "elo1=nan", "x"] {
            assert!(parse_sprt(wrong).is_err(), "{wrong}");
        }
    }
}
