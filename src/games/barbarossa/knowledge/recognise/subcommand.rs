//! The subcommand `recognise`.

use super::people::{PeopleOutcome, PeopleTrial};
use super::{Chooser, MARKS, Outcome, Recogniser, Trial};
use crate::games::Subcommand;
use crate::games::barbarossa::knowledge::lexicon::Lexicon;
use crate::games::barbarossa::knowledge::people::People;
use crate::games::barbarossa::knowledge::{Knowledge, matrix};
use crate::printing::print_line;
use crate::reading;
use anyhow::{Context, Result, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use comfy_table::{Cell, CellAlignment, Table};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  barbarossa recognise
  barbarossa recognise --noise 10 --shown 0,4 --json
  barbarossa recognise --table other.txt
  barbarossa recognise --noise 0 --answers other.txt
  barbarossa recognise --people --every 10

With --people the answers are drawn from how people answered, those of one person about one word
together, and only what people were asked is asked: once among the words of the table, once among
every entry of the wider lexicon, where words judged by hand are 20 times as likely, as in play.

A table is plain text: a first line `word PREDICATE PREDICATE ..`, then a word a line with a cell
for each predicate: y n p d, or a number (1 yes, 0 no, between possibly).";

/// The subcommand `recognise`.
pub(crate) fn subcommand() -> Subcommand {
    let list = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("LIST").default_value(default).help(help)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").help(help)
    };
    let number = |name: &'static str, help: &'static str| {
        let parser = value_parser!(u64);
        Arg::new(name).long(name).value_name("N").default_value("1").value_parser(parser).help(help)
    };
    let people = Arg::new("people")
        .long("people")
        .action(ArgAction::SetTrue)
        .conflicts_with_all(["table", "answers"])
        .help("Answers as people give them, among the words of the table and among all entries");
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON");
    let command = Command::new("recognise")
        .about("Measure how many questions and NOs identify each word of the table")
        .after_help(EXAMPLES)
        .arg(list("noise", "0,5,10,20", "Percentages of wrong answers"))
        .arg(list("shown", "0,1,2,3,4,5,6,7,8", "Numbers of features that the sculpture shows"))
        .arg(number("every", "Try only every Nth word"))
        .arg(number("seed", "Seed of features, noise and random questions"))
        .arg(file("table", "A table to use instead of the shipped one"))
        .arg(file("answers", "A different table for the answers"))
        .arg(people)
        .arg(json);
    Subcommand { command, run }
}

/// The output.
#[derive(Serialize)]
struct Report {
    words: usize,
    predicates: usize,
    /// log2 of the number of words.
    bits: f64,
    /// Percent of the cells of `--answers` that agree with the table.
    agreement: Option<f64>,
    outcomes: Vec<Outcome>,
}

fn run(matches: &ArgMatches) -> Result<()> {
    if matches.get_flag("people") {
        return run_people(matches);
    }
    let report = report(matches)?;
    if matches.get_flag("json") {
        print_line!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    print_line!(
        "{} words, {} predicates, log2 {:.2} bits",
        report.words,
        report.predicates,
        report.bits
    );
    if let Some(agreement) = report.agreement {
        print_line!("the answers agree with the table in {agreement:.1} % of cells");
    }
    print_line!("{}", table(&report.outcomes));
    Ok(())
}

fn run_people(matches: &ArgMatches) -> Result<()> {
    let knowledge = Knowledge::shipped();
    let outcome = |lexicon| {
        PeopleTrial::new(knowledge, lexicon, People::shipped()).run(every(matches), seed(matches))
    };
    let outcomes = [outcome(None), outcome(Some(Lexicon::shipped()))];
    if matches.get_flag("json") {
        print_line!("{}", serde_json::to_string_pretty(&outcomes)?);
        return Ok(());
    }
    let PeopleOutcome { predicates, secrets, .. } = outcomes[0];
    print_line!("{secrets} secrets, {predicates} predicates");
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_header(["entries", "questions", "leads", "among ten"]);
    for outcome in &outcomes {
        for (mark, (first, ten)) in MARKS.iter().zip(outcome.first.iter().zip(outcome.among_ten)) {
            let pool = outcome.pool.to_string();
            let cells = [pool, mark.to_string(), format!("{first:.1} %"), format!("{ten:.1} %")];
            let right = |cell| Cell::new(cell).set_alignment(CellAlignment::Right);
            table.add_row(cells.map(right));
        }
    }
    print_line!("{table}");
    Ok(())
}

fn every(matches: &ArgMatches) -> usize {
    matches.get_one::<u64>("every").copied().unwrap_or(1).max(1) as usize
}

fn seed(matches: &ArgMatches) -> u64 {
    matches.get_one::<u64>("seed").copied().unwrap_or(1)
}

fn report(matches: &ArgMatches) -> Result<Report> {
    let other = match matches.get_one::<String>("table") {
        Some(path) => Some(read(path)?),
        None => None,
    };
    let knowledge = other.as_ref().unwrap_or(Knowledge::shipped());
    ensure!(!knowledge.is_empty(), "the table should have a word");
    let mut recogniser = Recogniser::new(knowledge);
    let mut agreement = None;
    if let Some(path) = matches.get_one::<String>("answers") {
        let (made, both, agree) = recogniser.answered_by(&read(path)?);
        ensure!(both > 0, "{path}: should share words and predicates with the table");
        recogniser = made;
        agreement = Some(100.0 * agree as f64 / both as f64);
    }
    let (every, seed) = (every(matches), seed(matches));
    let mut outcomes = Vec::new();
    for noise in numbers(matches, "noise", 99.0)? {
        for shown in numbers(matches, "shown", 99.0)? {
            for chooser in [Chooser::Split, Chooser::Priced, Chooser::Random] {
                let (noise, shown) = (noise / 100.0, shown as usize);
                let trial = Trial { noise, shown, chooser, every, seed };
                outcomes.push(recogniser.run(&trial));
            }
        }
    }
    Ok(Report {
        words: knowledge.len(),
        predicates: knowledge.predicates(),
        bits: libm::log2(knowledge.len() as f64),
        agreement,
        outcomes,
    })
}

fn read(path: &str) -> Result<Knowledge> {
    let text = reading::text(path.as_ref()).with_context(|| path.to_string())?;
    matrix::parse(&text).with_context(|| path.to_string())
}

/// A list of numbers from 0 to `most`.
fn numbers(matches: &ArgMatches, name: &str, most: f64) -> Result<Vec<f64>> {
    let text = matches.get_one::<String>(name).map_or("", String::as_str);
    let number = |part: &str| -> Result<f64> {
        let number: f64 = part
            .trim()
            .parse()
            .with_context(|| format!("--{name}: `{part}` should be a number"))?;
        ensure!((0.0..=most).contains(&number), "--{name}: {number} should be 0 to {most}");
        Ok(number)
    };
    text.split(',').map(number).collect()
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    let head =
        ["noise", "shown", "asks", "bits", "questions", "NOs", "found", "top 10", "15", "20", "30"];
    table.set_header(head);
    for outcome in outcomes {
        let mut cells = vec![
            format!("{:.0} %", outcome.noise),
            outcome.shown.to_string(),
            format!("{:?}", outcome.chooser).to_lowercase(),
            format!("{:.2}", outcome.bits),
            format!("{:.2}", outcome.questions),
            format!("{:.2}", outcome.noes),
            format!("{:.1} %", outcome.found),
        ];
        cells.extend(outcome.leads.map(|lead| format!("{lead:.1}")));
        table.add_row(
            cells.into_iter().map(|cell| Cell::new(cell).set_alignment(CellAlignment::Right)),
        );
    }
    table
}
