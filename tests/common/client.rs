//! A client for tests: talks to a program, or to a session inside the test, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use parlor::engine::{Engine, session};

/// Far above anything a test waits for, so that a loaded machine fails no test.
const PATIENCE: Duration = Duration::from_secs(60);

/// One side of a conversation.
pub struct Client {
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    child: Option<Child>,
    session: Option<thread::JoinHandle<session::Ending>>,
}

impl Client {
    /// Starts one of the package's programs.
    pub fn program(path: &str, arguments: &[&str]) -> Client {
        let mut child = Command::new(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let input = child.stdin.take().expect("piped");
        let output = child.stdout.take().expect("piped");
        let mut client = Client::new(input, BufReader::new(output));
        client.child = Some(child);
        client
    }

    /// The number of the program's process.
    pub fn process(&self) -> u32 {
        self.child.as_ref().expect("a program").id()
    }

    /// Starts a session inside the test.
    pub fn session(engine: impl Engine + 'static) -> Client {
        let (engine_input, input) = std::io::pipe().expect("a pipe");
        let (output, engine_output) = std::io::pipe().expect("a pipe");
        let mut client = Client::new(input, BufReader::new(output));
        client.session = Some(thread::spawn(move || {
            session::run(Box::new(engine), BufReader::new(engine_input), engine_output)
                .expect("threads")
        }));
        client
    }

    fn new(input: impl Write + Send + 'static, output: impl BufRead + Send + 'static) -> Client {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Client { input: Some(Box::new(input)), lines, child: None, session: None }
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has closed its output"),
        }
    }

    /// Whether a line comes within a time in which none is expected.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// All lines up to the first that begins so, that one last.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends a line and gives the next one.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Asks a query and gives what follows `response`.
    pub fn query(&mut self, query: &str) -> String {
        let answer = self.ask(&format!("query {query}"));
        answer.strip_prefix("response ").unwrap_or_else(|| panic!("{query}: {answer}")).to_string()
    }

    /// Sends a `go` and gives the token after `bestmove`.
    pub fn go(&mut self, line: &str) -> String {
        self.send(line);
        let lines = self.until("bestmove");
        let last = &lines[lines.len() - 1];
        last.split(' ').nth(1).unwrap_or_else(|| panic!("{last}")).to_string()
    }

    /// Everything that is still to come, once the input is closed or `quit` was sent.
    pub fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            lines.push(line);
        }
        lines
    }

    /// Closes the input and gives the exit code of the program.
    pub fn exit_code(mut self) -> i32 {
        self.close();
        self.rest();
        let mut child = self.child.take().expect("a program");
        child.wait().expect("its end").code().expect("no signal")
    }

    /// Closes the input and tells how the session ended.
    pub fn ending(mut self) -> session::Ending {
        self.close();
        self.rest();
        self.session.take().expect("a session").join().expect("no panic")
    }

    /// Replays an exchange: `> ` is sent, `< ` expected with `*` for anything, `<* ` stands for any
    /// number of such lines.
    pub fn replay(&mut self, name: &str, text: &str) {
        let mut any: Option<&str> = None;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{name}:{}", number + 1);
            if let Some(sent) = line.strip_prefix("> ") {
                self.send(sent);
            } else if let Some(pattern) = line.strip_prefix("<* ") {
                any = Some(pattern);
            } else if let Some(pattern) = line.strip_prefix("< ") {
                let mut got = self.line();
                while !matches(pattern, &got) {
                    let skipped = any.is_some_and(|any| matches(any, &got));
                    assert!(skipped, "{place}: expected '{pattern}', got '{got}'");
                    got = self.line();
                }
                any = None;
            } else {
                assert!(line.is_empty() || line.starts_with('#'), "{place}: '{line}'");
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Whether a line fits a pattern in which `*` stands for anything.
pub fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|at| tail.is_char_boundary(at) && matches(rest, &tail[at..]))
        }),
    }
}
