//! What the tests of the runner have in common.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use parlor::runner::record::{self, Header, Record};

/// The program under test.
pub const PARLOR: &str = env!("CARGO_BIN_EXE_parlor");

/// The scripted engine, with arguments.
pub fn mock(arguments: &str) -> String {
    format!("cmd='{}' args='{arguments}'", python_script("tests/runner/mock_engine.py"))
}

/// The engine of the examples.
pub fn minimal() -> String {
    format!("cmd='{}'", python_script("examples/minimal_engine.py"))
}

/// The Python interpreter itself. What the path names may be a script that looks for it, and takes
/// ten times as long as the interpreter to start.
pub fn python() -> &'static str {
    static PYTHON: LazyLock<String> = LazyLock::new(|| {
        let script = ["-c", "import sys; print(sys.executable)"];
        let output =
            Command::new("python3").args(script).output().expect("the tests need Python 3");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    });
    &PYTHON
}

/// The command line that runs a script of the tests or examples without what a user has installed. It
/// is compiled before: thousands of starts would do that again.
pub fn python_script(file: &str) -> String {
    const COMPILE: &str = "import py_compile, sys
for source in sys.argv[2:]:
    name = source.rsplit('/', 1)[1]
    py_compile.compile(source, cfile=f'{sys.argv[1]}/{name}c', doraise=True)";
    static COMPILED: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        std::fs::create_dir_all(&folder).unwrap();
        let files =
            ["tests/runner", "examples"].map(|folder| root.join(folder).read_dir().unwrap());
        let files = files.into_iter().flatten().map(|entry| entry.unwrap().path());
        let scripts = files.filter(|file| file.extension().is_some_and(|name| name == "py"));
        let mut python = Command::new(python());
        let python = python.args(["-S", "-E", "-c", COMPILE]).arg(&folder).args(scripts);
        assert!(python.status().unwrap().success(), "the scripts of the tests are compiled");
        folder
    });
    let (_, name) = file.rsplit_once('/').unwrap();
    format!("{} -S -E {}/{name}c", python(), COMPILED.display())
}

/// A line of a record file from all that stands before its checksum.
pub fn with_checksum(text: &str) -> String {
    format!("{text},\"check\":\"{:08x}\"}}\n", crc32fast::hash(text.as_bytes()))
}

/// A new directory, removed when it goes out of scope.
pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// `parlor` with these arguments, standard input closed.
pub fn command(words: &[&str]) -> Command {
    let mut command = Command::new(PARLOR);
    command.args(words).stdin(Stdio::null());
    // What people reach is kept here, not in the folder of whoever runs the tests.
    command.env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"));
    command
}

/// Runs `parlor` to its end.
pub fn parlor(words: &[&str]) -> Output {
    command(words).output().unwrap()
}

/// Runs `parlor` and expects an exit code; standard output.
pub fn expect(code: i32, words: &[&str]) -> String {
    let output = parlor(words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{text}\n{errors}");
    text
}

/// What `parlor` says on standard error when it refuses.
pub fn refusal(words: &[&str]) -> String {
    let output = parlor(words);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a record file, by number; each must be there once.
pub fn games(path: &Path) -> (Header, BTreeMap<u64, Record>) {
    let mut games = BTreeMap::new();
    let header = record::read(path, |record| {
        assert!(games.insert(record.game, record).is_none(), "a game is there twice");
        Ok(())
    })
    .unwrap();
    (header, games)
}

/// The lines of a file, sorted.
pub fn sorted_lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Whether the slow tests are to run too.
pub fn slow_tests() -> bool {
    std::env::var("PARLOR_SLOW_TESTS").is_ok_and(|value| value == "1")
}

/// A path in a directory, as text.
pub fn within(directory: &tempfile::TempDir, name: &str) -> String {
    let path: PathBuf = directory.path().join(name);
    path.to_str().unwrap().to_owned()
}

/// The lines that processes were sent, as the log of a match has them, of labels that begin so.
pub fn sent(log: &str, process: &str) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap();
    let line = |line: &str| {
        let (label, line) = line.split_once(' ')?.1.split_once(" > ")?;
        label.starts_with(process).then(|| line.to_owned())
    };
    text.lines().filter_map(line).collect()
}
