//! Man pages: what the help says, examples, exit codes, and the pages beside them.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;

use super::PageTexts;
use crate::files;

/// Writes the page of a command and of all its subcommands; the number of pages.
///
/// # Errors
/// When the folder cannot be written to.
pub(super) fn write_all(
    mut command: Command,
    directory: &Path,
    texts: &PageTexts<'_>,
) -> Result<usize> {
    std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    command = command.disable_help_subcommand(true);
    command.build();
    write(&command, directory, texts, &[])
}

fn write(
    command: &Command,
    directory: &Path,
    texts: &PageTexts<'_>,
    beside: &[String],
) -> Result<usize> {
    let name = page_name(command);
    let below: Vec<String> = shown(command).map(page_name).collect();
    let mut see_also: Vec<String> = beside.iter().chain(&below).cloned().collect();
    see_also.extend(texts.see_also.iter().map(|page| (*page).to_owned()));
    see_also.retain(|page| *page != name);
    see_also.dedup();
    let page = page(command, texts.exit_codes, &see_also)?;
    let file = directory.join(format!("{name}.1"));
    files::write(&file, page).with_context(|| file.display().to_string())?;
    let mut pages = 1;
    for subcommand in shown(command) {
        let beside: Vec<String> = [name.clone()].into_iter().chain(below.clone()).collect();
        pages += write(subcommand, directory, texts, &beside)?;
    }
    Ok(pages)
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set())
}

fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn page(command: &Command, exit_codes: &[(u8, &str)], see_also: &[String]) -> Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut rest = String::new();
    if let Some(text) = command.get_after_help() {
        examples(&mut rest, &text.to_string());
    }
    let _ = writeln!(rest, ".SH \"EXIT STATUS\"");
    for (code, meaning) in exit_codes {
        let _ = writeln!(rest, ".TP\n\\fB{code}\\fR\n{}", escaped(meaning));
    }
    let references: Vec<String> =
        see_also.iter().map(|page| format!("\\fB{}\\fR(1)", escaped(page))).collect();
    let _ = writeln!(rest, ".SH \"SEE ALSO\"\n{}", references.join(", "));
    page.extend_from_slice(rest.as_bytes());
    Ok(page)
}

/// What follows the help. Its examples come under that heading, the rest is notes.
fn examples(page: &mut String, text: &str) {
    let mut heading = "";
    for line in text.lines() {
        let (wanted, line) = match line.split_once(':') {
            Some(("Example" | "Examples", rest)) => ("EXAMPLES", rest.trim_start()),
            _ if line.starts_with(' ') && !heading.is_empty() => (heading, line),
            _ if line.is_empty() => continue,
            _ => ("NOTES", line),
        };
        if wanted != heading {
            if !heading.is_empty() {
                page.push_str(".fi\n");
            }
            let _ = writeln!(page, ".SH {wanted}\n.nf");
            heading = wanted;
        }
        if !line.is_empty() {
            let _ = writeln!(page, "{}", escaped(line));
        }
    }
    if !heading.is_empty() {
        page.push_str(".fi\n");
    }
}

/// A line of text as roff writes it.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_examples_exit_codes_and_the_pages_beside_it() {
        let text =
            "A line:\n  fen ; bm a1\nExamples:\n  box put 'a' \\\n      --now\n\nExit codes: 0";
        let command = Command::new("box").after_help(text);
        let page = page(&command, &[(0, "done"), (2, "a wrong 'flag'")], &["box-put".into()]);
        let page = String::from_utf8(page.unwrap()).unwrap();
        let order = [
            ".SH NOTES\n.nf\nA line:\n  fen ; bm a1\n.fi",
            ".SH EXAMPLES\n.nf\n  box put \\(aqa\\(aq \\e\n      \\-\\-now\n.fi",
            ".SH NOTES\n.nf\nExit codes: 0\n.fi",
            ".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\ndone\n",
            "\\fB2\\fR\na wrong \\(aqflag\\(aq\n",
            ".SH \"SEE ALSO\"\n\\fBbox\\-put\\fR(1)\n",
        ];
        let places: Vec<_> = order.iter().map(|part| page.find(part)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {page}");
    }
}
