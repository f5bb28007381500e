//! The sequential test of a match: its parameters, and where it stands.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::standings::Standings;
use crate::statistics::{Model, Sprt, Verdict};

/// A sequential test of two engines, over the bundles that are complete.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SequentialTest(Sprt);

impl SequentialTest {
    /// Reads the value of `--sprt`.
    ///
    /// # Errors
    /// Names the parameter that is wrong.
    pub(super) fn parse(text: &str) -> Result<Self> {
        parse(text).map(SequentialTest)
    }

    /// Refuses what it cannot compare.
    ///
    /// # Errors
    /// When there are not two engines.
    pub(super) fn ensure_applies(engines: usize) -> Result<()> {
        ensure!(engines == 2, "--sprt compares two engines");
        Ok(())
    }

    /// Whether it is decided.
    pub(super) fn verdict(&self, standings: &Standings) -> Verdict {
        self.0.verdict(standings.duel())
    }

    /// Where it stands, as a line.
    pub(super) fn line(&self, standings: &Standings, verdict: Verdict) -> String {
        let ratio = self.0.log_likelihood_ratio(standings.duel());
        // What would be printed as -0.00 is zero.
        let ratio = if ratio.abs() < 0.005 { 0.0 } else { ratio };
        let (lower, upper) = self.0.bounds();
        let (from, to, verdict) = (self.0.elo0, self.0.elo1, verdict_text(verdict));
        format!("SPRT {from} to {to}: LLR {ratio:.2} in ({lower:.2}, {upper:.2}), {verdict}")
    }

    /// The same for scripts.
    pub(super) fn json(&self, standings: &Standings, verdict: Verdict) -> Value {
        let (lower, upper) = self.0.bounds();
        json!({
            "elo0": self.0.elo0, "elo1": self.0.elo1, "lower": lower, "upper": upper,
            "llr": self.0.log_likelihood_ratio(standings.duel()),
            "verdict": verdict_text(verdict),
        })
    }
}

fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Lower => "elo0 accepted",
        Verdict::Higher => "elo1 accepted",
    }
}

/// Reads the parameters of a test.
fn parse(text: &str) -> Result<Sprt> {
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
    fn parameters_of_a_sequential_test_are_checked() {
        let sprt = parse("elo0=-2 elo1=3 model=logistic").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.model), (-2.0, 3.0, Model::Logistic));
        assert_eq!(parse("elo0=-2,elo1=3, model=logistic").unwrap(), sprt);
        // What is left out is as the manual has it.
        let usual =
            Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
        assert_eq!(parse("").unwrap(), usual);
        let rates = parse("alpha=0.01 beta=0.1").unwrap();
        assert_eq!(rates, Sprt { alpha: 0.01, beta: 0.1, ..usual });
        for wrong in ["elo0=5 elo1=0", "elo2=3", "alpha=0.7", "model=bayes", "elo1=nan", "x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
