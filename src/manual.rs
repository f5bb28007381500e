//! Shell completions and man pages, which every program writes itself: the subcommands
//! `completions` and `man`.

mod install;
mod page;

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, Subcommand};

use crate::printing::{print, print_line};

/// The subcommands that every program has.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Manual {
    /// Print the completions of a shell, or install them
    #[command(after_help = "Examples:\n  PROGRAM completions bash --install\n  \
                      PROGRAM completions zsh > _PROGRAM")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
        /// Write them where the shell finds them (bash, zsh, fish), and make the folder
        #[arg(long)]
        install: bool,
    },
    /// Write man pages, one for each subcommand
    #[command(after_help = "Examples:\n  PROGRAM man\n  PROGRAM man ./man1")]
    Man {
        /// The folder for the pages [default: where man looks for the pages of this program]
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
}

/// What a man page says beyond the help.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageTexts<'a> {
    /// Exit codes and what they mean.
    pub(crate) exit_codes: &'a [(u8, &'a str)],
    /// Other pages.
    pub(crate) see_also: &'a [&'a str],
}

impl Manual {
    /// Prints or installs completions, or writes pages, for a program's command line. Completions have
    /// a command line of their own, with values to offer.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn run(
        &self,
        command: impl Fn() -> Command,
        for_completions: impl Fn() -> Command,
        texts: &PageTexts<'_>,
    ) -> Result<()> {
        let name = command().get_name().to_owned();
        match self {
            Manual::Completions { shell, install: false } => {
                print(completions(*shell, for_completions()).trim_end());
            }
            Manual::Completions { shell, install: true } => {
                let text = completions(*shell, for_completions());
                print(&install::completions(*shell, &name, &text)?);
            }
            Manual::Man { directory } => {
                let directory = directory.clone().map_or_else(install::man_directory, Ok)?;
                let pages = page::write_all(command(), &directory, texts)?;
                let place = directory.display();
                print_line!("{pages} pages in {place}; try: man {name}");
            }
        }
        Ok(())
    }
}

fn completions(shell: clap_complete::Shell, mut command: Command) -> String {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, &name, &mut text);
    let mut text = String::from_utf8_lossy(&text).into_owned();
    match shell {
        // For a program whose name has a hyphen clap_complete 4.6 sets one state and looks for
        // another, so that nothing after a subcommand would be completed.
        clap_complete::Shell::Bash => {
            text.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
        }
        clap_complete::Shell::Fish => {
            text.extend(command.get_subcommands().filter_map(|sub| fish_values(&name, sub)));
            text
        }
        _ => text,
    }
}

/// The line with which fish offers the values of a subcommand's positional arguments; clap_complete
/// 4.6 writes those of options only.
fn fish_values(name: &str, subcommand: &Command) -> Option<String> {
    let possible = subcommand.get_positionals().flat_map(|argument| {
        argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set())
    });
    let values: Vec<String> = possible.map(|value| value.get_name().to_owned()).collect();
    (!values.is_empty()).then(|| {
        format!(
            "complete -c {name} -n \"__fish_{}_using_subcommand {}\" -a \"{}\"\n",
            name.replace('-', "_"),
            subcommand.get_name(),
            values.join(" ")
        )
    })
}

/// The same argument with values that completions offer. Only for completions: other values would be
/// refused.
pub(crate) fn offering(argument: Arg, values: &[String]) -> Arg {
    argument.value_parser(PossibleValuesParser::new(values.iter().map(clap::builder::Str::from)))
}

/// Writes `text` for `placeholder` in what follows the help of a command and of its subcommands.
pub(crate) fn with_examples(command: Command, placeholder: &str, text: &str) -> Command {
    let written = match command.get_after_help() {
        Some(help) => {
            let help = help.to_string().replace(placeholder, text);
            command.after_help(help)
        }
        None => command,
    };
    let names: Vec<String> =
        written.get_subcommands().map(|subcommand| subcommand.get_name().to_owned()).collect();
    names.into_iter().fold(written, |command, name| {
        command.mut_subcommand(name, |subcommand| with_examples(subcommand, placeholder, text))
    })
}
