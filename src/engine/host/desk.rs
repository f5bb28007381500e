//! A host and the front end that tells it what lines mean.

use super::waiting_lines::HeldLine;
use super::{FrontEnd, Host};
use crate::engine::input::InputLine;

pub(super) struct Desk {
    pub(super) host: Host,
    pub(super) front_end: Box<dyn FrontEnd>,
}

impl Desk {
    /// Acts on a line while no job runs.
    pub(super) fn act(&mut self, line: HeldLine) {
        let Some(line) = line.take() else { return };
        // Answers to lines that came together go out together.
        self.host.output.gather();
        match line {
            InputLine::Refused { first_word, error } => {
                self.front_end.refuse(&mut self.host, &first_word, &error);
            }
            InputLine::Text(text) => {
                log::debug!("< {text}");
                if let Some(front_end) = self.front_end.act(&mut self.host, &text) {
                    self.front_end = front_end;
                }
            }
        }
    }

    /// Acts on a line while a job runs, or lets it wait.
    pub(super) fn act_during_job(&mut self, line: HeldLine) {
        self.host.output.gather();
        if let Some(InputLine::Text(text)) = line.line()
            && self.front_end.act_during_job(&mut self.host, text)
        {
            return;
        }
        self.host.waiting.push_back(line);
        self.host.stop_if_unbounded();
    }

    /// Gives the client the answer of the search that has ended, unless it is held back.
    pub(super) fn answer(&mut self) {
        if let Some(answer) = self.host.take_answer() {
            self.front_end.answer(&mut self.host, &answer);
        }
    }
}
