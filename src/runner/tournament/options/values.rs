//! Options of a match that hold several values in one argument.

use anyhow::{Context, Result, ensure};

use crate::runner::tournament::adjudication::{DrawRule, ResignationRule};

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
}
