//! Every claim of the specification is tried by a test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Sections that say what an engine or a client does.
const SECTIONS: [&str; 17] =
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17"];

/// A sentence with one of these words is a claim.
const STRICT: [&str; 15] = [
    "must", "never", "always", "exactly", "nothing", "only", "no", "refused", "every", "each",
    "alone", "both", "still", "most", "also",
];

/// The claims of a page: forms, which are the lines of blocks of code; rows of tables; strict sentences;
/// all guarantees of the last list.
fn claims(page: &str) -> Vec<String> {
    let lines: Vec<&str> = page.lines().collect();
    let (mut found, mut section, mut fence) = (Vec::new(), "", None);
    for (at, line) in lines.iter().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(language) };
            continue;
        }
        if let Some(title) = line.strip_prefix("## ") {
            section = title.split_once('.').map_or("", |(number, _)| number);
        }
        if line.starts_with('#') || !SECTIONS.contains(&section) {
            continue;
        }
        match fence {
            Some("") if !line.is_empty() => found.push(line.trim().to_owned()),
            Some(_) => {}
            None if line.starts_with('|') => {
                let is_rule = |line: &str| line.starts_with("|---");
                let is_head = lines.get(at + 1).is_some_and(|next| is_rule(next));
                if !is_rule(line) && !is_head {
                    found.push(line.trim_matches(['|', ' ']).to_owned());
                }
            }
            None => found.extend(strict_sentences(line, section == "16")),
        }
    }
    found
}

/// The strict sentences of a line; all of them in an item of the list of guarantees.
fn strict_sentences(line: &str, guarantees: bool) -> Vec<String> {
    let line = line.trim();
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = numbered.strip_prefix(". ").filter(|_| numbered.len() < line.len());
    let item = item.or_else(|| line.strip_prefix("- "));
    let is_strict = |sentence: &str| {
        sentence.split_whitespace().any(|word| {
            let word = word.trim_matches(|c: char| ".,;:()*`".contains(c)).to_lowercase();
            STRICT.contains(&word.as_str())
        })
    };
    let text = item.unwrap_or(line).replace(". ", ".\n");
    let wanted = |sentence: &&str| is_strict(sentence) || guarantees && item.is_some();
    text.lines().filter(wanted).map(str::to_owned).collect()
}

/// The tests in the files below a folder.
fn tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                is_test |= line == "#[test]";
                let Some((before, after)) = line.split_once("fn ") else { continue };
                if is_test && !before.contains("//") {
                    let name = after.split(['(', '<']).next().unwrap_or("");
                    found.insert(name.to_owned());
                }
                is_test = false;
            }
        }
    }
}

/// The steps of `parlor check`, as `check NAME`.
fn steps(text: &str) -> BTreeSet<String> {
    let step = |call: &str| call.split('"').nth(1).map(|name| format!("check {name}"));
    let list = text.split("const STEPS").nth(1).and_then(|rest| rest.split("\n];").next());
    let calls = list.expect("the list of steps").split('(').skip(1);
    calls.filter_map(step).collect()
}

#[test]
fn every_claim_of_the_specification_names_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let mut known = steps(&read("src/runner/check.rs"));
    assert!(known.len() > 30, "{known:?}");
    for folder in ["tests", "src"] {
        tests(&root.join(folder), &mut known);
    }
    let mut table: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut claim = String::new();
    for line in read("tests/data/specification.txt").lines() {
        match line.strip_prefix("    ") {
            Some(test) => table.entry(claim.clone()).or_default().push(test.to_owned()),
            None if line.starts_with('#') || line.is_empty() => {}
            None => claim = line.to_owned(),
        }
    }
    let claims = claims(&read("protocol-spec.md"));
    let mut wrong = Vec::new();
    for claim in claims.iter().filter(|claim| !table.contains_key(*claim)) {
        wrong.push(format!("no test: {claim}"));
    }
    for (claim, named) in &table {
        if !claims.contains(claim) {
            wrong.push(format!("not in the specification: {claim}"));
        }
        for test in named.iter().filter(|test| !known.contains(*test)) {
            wrong.push(format!("there is no test and no step {test}: {claim}"));
        }
    }
    assert!(claims.len() > 190, "only {} claims were found", claims.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
