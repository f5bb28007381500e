//! Where shells and `man` look for the files of a program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap_complete::Shell;

use crate::files;

/// Writes completions to the folder of a shell; says where, and what else the shell needs.
///
/// # Errors
/// When the folder is not known, or cannot be written to.
pub(super) fn completions(shell: Shell, name: &str, text: &str) -> Result<String> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let file = completion_file(shell, name, &variable)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    files::write(&file, text).with_context(|| file.display().to_string())?;
    let note = match shell {
        Shell::Zsh => format!(
            "\nIf they are not found, put this before compinit in ~/.zshrc: fpath+=({})",
            folder.display()
        ),
        _ => "\nThey work in the next shell that you open.".into(),
    };
    Ok(format!("wrote {}{note}", file.display()))
}

/// The file, by the rules of the shell and the XDG base directories.
fn completion_file(
    shell: Shell,
    name: &str,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<PathBuf> {
    let base = |variable_name: &str, under_home: &str| -> Result<PathBuf> {
        match (variable(variable_name), variable("HOME")) {
            (Some(base), _) => Ok(base.into()),
            (None, Some(home)) => Ok(Path::new(&home).join(under_home)),
            (None, None) => bail!("HOME is not set: print the completions and keep them yourself"),
        }
    };
    let data = || base("XDG_DATA_HOME", ".local/share");
    Ok(match shell {
        Shell::Bash => data()?.join("bash-completion/completions").join(name),
        Shell::Zsh => data()?.join("zsh/site-functions").join(format!("_{name}")),
        Shell::Fish => base("XDG_CONFIG_HOME", ".config")?
            .join("fish/completions")
            .join(format!("{name}.fish")),
        other => bail!("--install knows bash, zsh and fish; print the completions of {other}"),
    })
}

/// The folder in which `man` looks for the pages of a program in `PATH`: for `~/.cargo/bin` it is
/// `~/.cargo/share/man/man1`.
///
/// # Errors
/// When the place of the program is not known.
pub(super) fn man_directory() -> Result<PathBuf> {
    let program = std::env::current_exe().context("the place of this program")?;
    let folder = program.parent().and_then(Path::parent).context("the place of this program")?;
    Ok(folder.join("share/man/man1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(shell: Shell, set: &[(&str, &str)]) -> Result<PathBuf> {
        let set: Vec<(String, OsString)> =
            set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let variable = |wanted: &str| {
            set.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
        };
        completion_file(shell, "barca", &variable)
    }

    #[test]
    fn every_shell_has_its_folder() {
        let home = [("HOME", "/home/a")];
        for (shell, set, expected) in [
            (Shell::Bash, &home[..], "/home/a/.local/share/bash-completion/completions/barca"),
            (Shell::Bash, &[("XDG_DATA_HOME", "/d")], "/d/bash-completion/completions/barca"),
            (Shell::Zsh, &home, "/home/a/.local/share/zsh/site-functions/_barca"),
            (Shell::Fish, &home, "/home/a/.config/fish/completions/barca.fish"),
        ] {
            assert_eq!(file(shell, set).unwrap(), Path::new(expected));
        }
        assert!(file(Shell::Bash, &[]).is_err() && file(Shell::Elvish, &home).is_err());
    }
}
