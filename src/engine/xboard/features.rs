//! The `feature` lines: what the engine can do, and its options.

use super::XBoard;
use crate::engine::host::Host;
use crate::engine::interface::Engine;
use crate::game::{OptionKind, OptionSpec};

impl XBoard {
    pub(super) fn tell_features(&self, host: &Host, engine: &dyn Engine) {
        let output = &host.output;
        output.line("feature done=0");
        output.line(&format!(
            "feature myname=\"Parlor {}\" variants=\"{}\" setup=1 highlight=1 usermove=1",
            engine.title(),
            self.board.variant
        ));
        output
            .line("feature ping=1 setboard=1 playother=1 analyze=1 memory=1 smp=1 time=1 reuse=1");
        output.line("feature sigint=0 sigterm=0 san=0 draw=0 colors=0 name=0 nps=0 debug=1");
        for (spec, value) in engine.options().iter() {
            // XBoard sets these two by commands: `memory` and `cores`.
            if !["Hash", "Threads"].contains(&spec.name.as_str()) {
                output.line(&option_feature(spec, value));
            }
        }
        output.line("feature done=1");
    }
}

/// Whether an option is true or false, which XBoard writes 1 and 0.
pub(super) fn is_check(engine: &dyn Engine, name: &str) -> bool {
    engine
        .options()
        .find(name)
        .is_some_and(|(spec, _)| matches!(spec.kind, OptionKind::Check { .. }))
}

/// The declaration of an option in this dialect.
fn option_feature(spec: &OptionSpec, value: &str) -> String {
    let name = &spec.name;
    let shown = match &spec.kind {
        OptionKind::Check { .. } => format!("-check {}", u8::from(value == "true")),
        OptionKind::Spin { min, max, .. } => {
            // XBoard reads 32 bits.
            format!("-spin {value} {min} {}", (*max).min(i64::from(i32::MAX)))
        }
        OptionKind::Combo { values } => {
            let marked: Vec<_> = values
                .iter()
                .map(|known| if known == value { format!("*{known}") } else { known.clone() })
                .collect();
            format!("-combo {}", marked.join(" /// "))
        }
        OptionKind::Text { .. } => format!("-string {value}"),
        OptionKind::Button => "-button".into(),
    };
    format!("feature option=\"{name} {shown}\"")
}
