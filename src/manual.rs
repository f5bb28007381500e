//! Shell completions and man pages, which every program prints itself: the subcommands
//! `completions` and `man`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Command, Subcommand};

/// The subcommands that every program has.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Manual {
    /// Print the completions of a shell
    #[command(
        after_help = "Example: completions bash > ~/.local/share/bash-completion/completions/PROGRAM"
    )]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write man pages, one for each subcommand
    #[command(after_help = "Example: man ~/.local/share/man/man1")]
    Man {
        /// The folder for the pages
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

impl Manual {
    /// Prints completions or writes pages for a program's command line.
    ///
    /// # Errors
    /// When the pages cannot be written.
    pub(crate) fn run(&self, mut command: Command) -> Result<()> {
        match self {
            Manual::Completions { shell } => {
                let name = command.get_name().to_owned();
                let mut text = Vec::new();
                clap_complete::generate(*shell, &mut command, &name, &mut text);
                let mut text = String::from_utf8_lossy(&text).into_owned();
                if *shell == clap_complete::Shell::Bash {
                    // For a program whose name has a hyphen clap_complete 4.6 sets one state and
                    // looks for another, so that nothing after a subcommand would be completed.
                    text = text.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
                }
                // A closed pipe is no error.
                let _ = std::io::stdout().lock().write_all(text.as_bytes());
                Ok(())
            }
            Manual::Man { directory } => {
                let context = || directory.display().to_string();
                std::fs::create_dir_all(directory).with_context(context)?;
                clap_mangen::generate_to(command, directory).with_context(context)
            }
        }
    }
}
