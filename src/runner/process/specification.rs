//! An engine as the command line describes it: `name= cmd= proto= args= dir= option.X=` and limits.
//!
//! One engine is one argument, split as a shell splits words. What precedes the first `key=value`
//! is the name of a built-in engine or a program, with its arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

#[cfg(feature = "household")]
use super::inside::Inside;
use super::limits::Limits;
use super::own_program::own_program;
use crate::protocol::Dialect;

/// The description of one engine.
#[derive(Clone, Debug)]
pub(crate) struct Specification {
    /// Its name in tables and records, unique in a match.
    pub(crate) name: String,
    /// Whether the user chose the name.
    pub(crate) named: bool,
    /// What it is, if it is no process; then it has no program.
    #[cfg(feature = "household")]
    pub(crate) inside: Option<Inside>,
    /// The program.
    pub(crate) program: OsString,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// Its working directory, if not that of `parlor`.
    pub(crate) directory: Option<PathBuf>,
    /// The dialect of its handshake.
    pub(crate) dialect: Dialect,
    /// Its own options, in the order given.
    pub(crate) options: Vec<(String, String)>,
    /// Its own limits, which override the match's.
    pub(crate) limits: Limits,
    /// Whether it ponders (`uci` only).
    pub(crate) ponder: bool,
    /// Whether every game gets a new process.
    pub(crate) restart: bool,
}

impl Specification {
    /// Nothing but defaults.
    fn empty() -> Self {
        Specification {
            name: String::new(),
            named: false,
            #[cfg(feature = "household")]
            inside: None,
            program: OsString::new(),
            arguments: Vec::new(),
            directory: None,
            dialect: Dialect::Ugi,
            options: Vec::new(),
            limits: Limits::default(),
            ponder: false,
            restart: false,
        }
    }

    /// An engine inside this program.
    #[cfg(feature = "household")]
    pub(crate) fn inside(name: &str, inside: Inside) -> Self {
        Specification { name: name.to_owned(), inside: Some(inside), ..Self::empty() }
    }

    /// Reads an argument such as `barca`, `"./mine option.Hash=64"` or
    /// `"name=X cmd='python3 x.py' proto=uci"`; `each` is read first and holds for every engine.
    ///
    /// # Errors
    /// Names the setting that is wrong and says what would be right.
    pub(crate) fn parse(text: &str, each: Option<&str>, built_in: &[&str]) -> Result<Self> {
        let context = || format!("engine '{text}'");
        let mut words = split(text).with_context(context)?;
        let mut specification = Specification::empty();
        let leading = words.iter().take_while(|word| !is_setting(word)).count();
        let mut command = None;
        if leading > 0 {
            command = Some(words.remove(0));
            specification.arguments = words.drain(..leading - 1).collect();
        }
        for word in split(each.unwrap_or("")).context("--each")? {
            specification.set(&word, &mut command).context("--each")?;
        }
        for word in words {
            specification.set(&word, &mut command).with_context(context)?;
        }
        let Some(command) = command else {
            bail!(
                "engine '{text}': no program given; write cmd=PROGRAM or one of {}; an engine and its \
                 settings are one argument, in quotes: 'barca name=new'",
                list(built_in)
            );
        };
        specification.resolve(&command, built_in).with_context(context)?;
        specification.limits.check().with_context(context)?;
        Ok(specification)
    }

    /// Whether a text names a game of this program, with settings of the match alone: no program
    /// and no option of the engine, which might name a file.
    pub(crate) fn is_harmless(text: &str, built_in: &[&str]) -> bool {
        split(text).is_ok_and(|words| match words.split_first() {
            Some((game, settings)) => {
                built_in.contains(&game.as_str()) && settings.iter().all(|word| is_of_match(word))
            }
            None => false,
        })
    }

    /// Whether a text for every engine holds settings of the match alone.
    pub(crate) fn sets_only_the_match(text: &str) -> bool {
        split(text).is_ok_and(|words| words.iter().all(|word| is_of_match(word)))
    }

    fn set(&mut self, word: &str, command: &mut Option<String>) -> Result<()> {
        let Some((key, value)) = word.split_once('=') else {
            bail!("'{word}' is not of the form key=value");
        };
        match key {
            "name" => {
                ensure!(
                    !value.is_empty() && !value.contains('\n'),
                    "name= needs a name of one line"
                );
                self.name = value.to_owned();
                self.named = true;
            }
            "cmd" => *command = Some(value.to_owned()),
            "args" => self.arguments.extend(split(value)?),
            "dir" => self.directory = Some(PathBuf::from(value)),
            "proto" => {
                self.dialect = match value {
                    "ugi" => Dialect::Ugi,
                    "uci" => Dialect::Uci,
                    _ => bail!("proto={value}: write proto=ugi or proto=uci"),
                }
            }
            "ponder" => self.ponder = parse_bool(key, value)?,
            "restart" => self.restart = parse_bool(key, value)?,
            _ => match key.strip_prefix("option.") {
                Some(name) => self.options.push((name.to_owned(), value.to_owned())),
                None => ensure!(
                    self.limits.set(key, value)?,
                    "unknown key '{key}'; the keys are name cmd args dir proto ponder restart option.X \
                     tc movetime nodes depth margin"
                ),
            },
        }
        Ok(())
    }

    fn resolve(&mut self, command: &str, built_in: &[&str]) -> Result<()> {
        ensure!(!command.is_empty(), "cmd= needs a program");
        let own_arguments = std::mem::take(&mut self.arguments);
        if built_in.contains(&command) {
            let (program, before) = own_program().context("own program not found")?;
            self.program = program;
            self.arguments = [before, &["engine".to_owned(), command.to_owned()]].concat();
        } else {
            // The name of an existing file, even with spaces, is a path; else it is a command line.
            let whole = Path::new(command).is_file();
            let mut words = if whole { vec![command.to_owned()] } else { split(command)? };
            ensure!(!words.is_empty(), "cmd= needs a program");
            self.program = located(&words.remove(0), built_in)?;
            self.arguments = words;
        }
        if self.name.is_empty() {
            self.name = self.name_of_command(command, built_in);
        }
        self.arguments.extend(own_arguments);
        Ok(())
    }
}

impl Specification {
    /// The built-in name, the script that an interpreter runs, or the program.
    fn name_of_command(&self, command: &str, built_in: &[&str]) -> String {
        if built_in.contains(&command) {
            return command.to_owned();
        }
        let script = self.arguments.iter().map(Path::new).find(|path| path.is_file());
        let stem = script.unwrap_or(Path::new(&self.program)).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}

/// Numbers engines of the same name, in order; two names equal by `name=` are an error.
///
/// # Errors
/// The name that was given twice.
pub(crate) fn make_names_unique(engines: &mut [Specification]) -> Result<()> {
    for index in 1..engines.len() {
        let (before, rest) = engines.split_at_mut(index);
        let Some(engine) = rest.first_mut() else { continue };
        let base = engine.name.clone();
        let mut number = 1;
        while before.iter().any(|other| other.name == engine.name) {
            ensure!(!engine.named, "two engines are named '{base}'; give them different name=");
            number += 1;
            engine.name = format!("{base}-{number}");
        }
    }
    Ok(())
}

/// A program given by a path is relative to the current directory, whatever directory it runs in.
fn located(program: &str, built_in: &[&str]) -> Result<OsString> {
    if program.contains('/') {
        let path = std::path::absolute(program)?;
        ensure!(path.is_file(), "no program at {program}");
        return Ok(path.into());
    }
    let directories = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&directories).any(|path| path.join(program).is_file());
    ensure!(
        found,
        "'{program}' is neither a built-in engine ({}) nor a program on the PATH",
        list(built_in)
    );
    Ok(program.into())
}

/// Whether a word is a `key=value` setting; a program's flags are not, even with an `=` in them.
fn is_setting(word: &str) -> bool {
    let key = word.split_once('=').map(|(key, _)| key);
    key.is_some_and(|key| {
        !key.is_empty() && !key.contains(['-', '/']) || word.starts_with("option.")
    })
}

/// Whether a setting is about the match: not what is started, and not the engine's own options.
fn is_of_match(word: &str) -> bool {
    is_setting(word)
        && !["cmd=", "args=", "dir=", "option."].iter().any(|key| word.starts_with(key))
}

fn list(built_in: &[&str]) -> String {
    if built_in.is_empty() { "(none are built in)".to_owned() } else { built_in.join(" ") }
}

fn parse_bool(key: &str, value: &str) -> Result<bool> {
    match value {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => bail!("{key}={value}: write {key}=true or {key}=false"),
    }
}

/// Splits words as a shell does: at spaces, except within quotes of both kinds; a backslash takes
/// the next character literally, except within single quotes.
///
/// # Errors
/// A quote that is not closed.
fn split(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            (_, Some(open)) if character == open => quote = None,
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().push(characters.next().unwrap_or('\\'));
            }
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(character),
        }
    }
    ensure!(quote.is_none(), "a quote is not closed in: {text}");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_as_in_a_shell() {
        let words = split(r#"a  'b c' "d 'e'" f\ g "" 'option.Move Overhead'=5"#).unwrap();
        assert_eq!(words, ["a", "b c", "d 'e'", "f g", "", "option.Move Overhead=5"]);
        assert!(split("a 'b").is_err());
    }

    #[test]
    fn a_built_in_name_means_this_program() {
        let engine = Specification::parse("barca option.Hash=4", None, &["barca"]).unwrap();
        assert_eq!(engine.name, "barca");
        assert_eq!(engine.arguments, ["engine", "barca"]);
        assert_eq!(engine.options, [("Hash".to_owned(), "4".to_owned())]);
    }

    #[test]
    fn words_before_the_settings_are_a_command() {
        let text = "sh -c --x=1 name=X 'option.Some-Thing=a b'";
        let engine = Specification::parse(text, None, &[]).unwrap();
        assert_eq!((engine.program.to_str(), engine.name.as_str()), (Some("sh"), "X"));
        assert_eq!(engine.arguments, ["-c", "--x=1"]);
        assert_eq!(engine.options, [("Some-Thing".to_owned(), "a b".to_owned())]);
    }

    #[test]
    fn own_settings_override_those_of_each() {
        let each = Some("nodes=10 option.Hash=1");
        let engine =
            Specification::parse("cmd='sh -c true' nodes=20 name=X proto=uci", each, &[]).unwrap();
        assert_eq!(engine.limits.nodes, Some(20));
        assert_eq!((engine.name.as_str(), engine.dialect), ("X", Dialect::Uci));
        assert_eq!(engine.arguments, ["-c", "true"]);
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let message =
            |text: &str| format!("{:#}", Specification::parse(text, None, &["barca"]).unwrap_err());
        assert!(message("barka").contains("barca"));
        assert!(message("name=X").contains("cmd="));
        assert!(message("barca proto=xboard").contains("proto=ugi"));
        assert!(message("barca colour=red").contains("option.X"));
        assert!(message("./no/such/engine").contains("no program at ./no/such/engine"));
    }

    #[test]
    fn equal_names_are_numbered() {
        let parse = |text: &str| Specification::parse(text, None, &["barca"]).unwrap();
        let mut engines = vec![parse("barca"), parse("barca"), parse("barca name=X")];
        make_names_unique(&mut engines).unwrap();
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["barca", "barca-2", "X"]);
        let mut engines = vec![parse("barca name=X"), parse("barca name=X")];
        assert!(make_names_unique(&mut engines).is_err());
    }
}
