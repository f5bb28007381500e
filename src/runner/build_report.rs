//! Results for build servers: JUnit XML, and the annotations of GitHub's workflows.

use std::path::Path;

use anyhow::Result;

use super::lock;
use crate::printing::{print, shown};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::runner) enum Severity {
    /// It passes all the same.
    Note,
    /// What was asked for does not hold.
    Failure,
    /// It could not be found out: nothing was loaded, or a process failed.
    Error,
}

/// One thing that was tried.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::runner) struct BuildCase {
    /// Its name.
    pub(in crate::runner) name: String,
    /// How long it took.
    pub(in crate::runner) seconds: f64,
    /// What was found, if anything.
    pub(in crate::runner) found: Option<(Severity, String)>,
    /// Where it can be seen, such as a position.
    pub(in crate::runner) detail: String,
    /// Its line in a file of that name, the subject of the report.
    pub(in crate::runner) line: Option<usize>,
}

/// Whether a report is wanted: by an option, or by a workflow of GitHub.
pub(in crate::runner) fn is_wanted(path: Option<&Path>) -> bool {
    path.is_some() || in_workflow()
}

fn in_workflow() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Writes the file of `--junit`, and annotations where a workflow runs.
///
/// # Errors
/// When the file cannot be written.
pub(in crate::runner) fn write(
    path: Option<&Path>,
    subject: &str,
    cases: &[BuildCase],
) -> Result<()> {
    if in_workflow() {
        cases.iter().filter_map(|case| annotation(subject, case)).for_each(|line| print(&line));
    }
    let Some(path) = path else { return Ok(()) };
    lock::write(path, "--junit", junit(subject, cases))
}

/// Passes a result on; an error that ended the work is reported too.
///
/// # Errors
/// That error.
pub(in crate::runner) fn reported<T>(
    path: Option<&Path>,
    subject: &str,
    result: Result<T>,
) -> Result<T> {
    if let Err(error) = &result {
        let found = Some((Severity::Error, format!("{error:#}")));
        let (name, detail) = ("start".to_owned(), String::new());
        write(path, subject, &[BuildCase { name, seconds: 0.0, found, detail, line: None }])?;
    }
    result
}

fn junit(subject: &str, cases: &[BuildCase]) -> String {
    let count = |severity| {
        let is = |case: &&BuildCase| case.found.as_ref().is_some_and(|found| found.0 == severity);
        cases.iter().filter(is).count()
    };
    let subject = escaped(subject);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{subject}\" tests=\"{}\" \
         failures=\"{}\" errors=\"{}\" time=\"{:.3}\">\n",
        cases.len(),
        count(Severity::Failure),
        count(Severity::Error),
        cases.iter().map(|case| case.seconds).sum::<f64>()
    );
    for case in cases {
        text += &format!(
            "  <testcase classname=\"{subject}\" name=\"{}\" time=\"{:.3}\"",
            escaped(&case.name),
            case.seconds
        );
        let Some((severity, what)) = &case.found else {
            text += "/>\n";
            continue;
        };
        let (what, detail) = (escaped(what), escaped(&case.detail));
        let inner = match severity {
            Severity::Note => format!("<system-out>{what}</system-out>"),
            Severity::Failure => format!("<failure message=\"{what}\">{detail}</failure>"),
            Severity::Error => format!("<error message=\"{what}\">{detail}</error>"),
        };
        text += &format!(">\n    {inner}\n  </testcase>\n");
    }
    text + "</testsuite>\n"
}

/// `::error file=F,line=N,title=T::TEXT`.
fn annotation(subject: &str, case: &BuildCase) -> Option<String> {
    let (severity, what) = case.found.as_ref()?;
    let word = if *severity == Severity::Note { "warning" } else { "error" };
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let place = case.line.map(|line| format!("file={},line={line},", property(subject)));
    let (place, title) = (place.unwrap_or_default(), property(&case.name));
    Some(format!("::{word} {place}title={title}::{}", data(what)))
}

fn escaped(text: &str) -> String {
    let text = shown(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_apart_from_failures_and_everything_is_escaped() {
        let case = |name: &str, found: Option<(Severity, &str)>| BuildCase {
            name: name.to_owned(),
            seconds: 0.25,
            found: found.map(|(severity, text)| (severity, text.to_owned())),
            detail: "position a<b".to_owned(),
            line: Some(7),
        };
        let cases = [
            case("good", None),
            case("wrong", Some((Severity::Failure, "\"a\" & b"))),
            case("a,b: c", Some((Severity::Error, "100 %\nended"))),
            case("note", Some((Severity::Note, "one more"))),
        ];
        let text = junit("s.epd", &cases);
        for part in [
            "<testsuite name=\"s.epd\" tests=\"4\" failures=\"1\" errors=\"1\" time=\"1.000\">",
            "<testcase classname=\"s.epd\" name=\"good\" time=\"0.250\"/>",
            "<failure message=\"&quot;a&quot; &amp; b\">position a&lt;b</failure>",
            "<system-out>one more</system-out>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let lines: Vec<String> =
            cases.iter().filter_map(|case| annotation("s.epd", case)).collect();
        assert_eq!(lines[1], "::error file=s.epd,line=7,title=a%2Cb%3A c::100 %25%0Aended");
        assert!(lines[2].starts_with("::warning "), "{lines:?}");
    }
}
