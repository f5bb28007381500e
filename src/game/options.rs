//! Rule options and engine options: what may be set, and the values that are.

use std::collections::BTreeMap;

use super::{Game, NotationError, Seat};

/// The kind of an option and the values it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// Value at the start.
        default: bool,
    },
    /// An integer in a closed range.
    Spin {
        /// Value at the start.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of a list of words, the first being the default.
    Combo {
        /// The words.
        values: Vec<String>,
    },
    /// Any text.
    Text {
        /// Value at the start.
        default: String,
    },
    /// Something that happens at once and has no value.
    Button,
}

/// One option: name, kind, and a line that says what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name as declared; compared without case.
    pub name: String,
    /// Its kind.
    pub kind: OptionKind,
    /// One line for `help`.
    pub about: String,
}

impl OptionSpec {
    fn new(name: &str, kind: OptionKind, about: &str) -> Self {
        OptionSpec { name: name.into(), kind, about: about.into() }
    }

    /// A `check` option.
    pub fn check(name: &str, default: bool, about: &str) -> Self {
        Self::new(name, OptionKind::Check { default }, about)
    }

    /// A `spin` option.
    pub fn spin(name: &str, default: i64, min: i64, max: i64, about: &str) -> Self {
        Self::new(name, OptionKind::Spin { default, min, max }, about)
    }

    /// A `combo` option; the first value is the default.
    pub fn combo(name: &str, values: &[&str], about: &str) -> Self {
        let values = values.iter().map(|value| value.to_string()).collect();
        Self::new(name, OptionKind::Combo { values }, about)
    }

    /// A `string` option.
    pub fn text(name: &str, default: &str, about: &str) -> Self {
        Self::new(name, OptionKind::Text { default: default.into() }, about)
    }

    /// A `button` option.
    pub fn button(name: &str, about: &str) -> Self {
        Self::new(name, OptionKind::Button, about)
    }

    /// The value at the start, as text; empty for a button.
    pub fn default_value(&self) -> String {
        match &self.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { values } => values.first().cloned().unwrap_or_default(),
            OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// Checks a value and gives it in its declared spelling.
    pub fn accept(&self, value: &str) -> Result<String, OptionError> {
        let refuse = |expected: String| {
            Err(OptionError::Value { name: self.name.clone(), value: value.into(), expected })
        };
        match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => Ok(word.into()),
                _ => refuse("true or false".into()),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(number.to_string()),
                _ => refuse(format!("an integer from {min} to {max}")),
            },
            OptionKind::Combo { values } => {
                match values.iter().find(|known| known.eq_ignore_ascii_case(value)) {
                    Some(known) => Ok(known.clone()),
                    None => refuse(format!("one of {}", values.join(" "))),
                }
            }
            OptionKind::Text { .. } if value == "<empty>" => Ok(String::new()),
            OptionKind::Text { .. } => Ok(value.into()),
            OptionKind::Button if value.is_empty() => Ok(String::new()),
            OptionKind::Button => refuse("no value".into()),
        }
    }
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option named {0}")]
    Unknown(String),
    /// The value does not fit.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// Declared name.
        name: String,
        /// What was given.
        value: String,
        /// What would be right.
        expected: String,
    },
}

/// The declared options of a program and their values. Names compare without case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues {
    specs: Vec<OptionSpec>,
    values: BTreeMap<String, String>,
}

impl OptionValues {
    /// All options at their defaults.
    pub fn new(specs: Vec<OptionSpec>) -> Self {
        let values =
            specs.iter().map(|spec| (spec.name.to_lowercase(), spec.default_value())).collect();
        OptionValues { specs, values }
    }

    /// The declarations in order.
    pub fn specs(&self) -> &[OptionSpec] {
        &self.specs
    }

    /// The declaration of one option.
    pub fn spec(&self, name: &str) -> Option<&OptionSpec> {
        self.specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option, if name and value are right.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = self.spec(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        let value = spec.accept(value)?;
        self.values.insert(name.to_lowercase(), value);
        Ok(())
    }

    /// The value as text; empty for an option that was never declared.
    pub fn text(&self, name: &str) -> &str {
        self.values.get(&name.to_lowercase()).map_or("", String::as_str)
    }

    /// The value of a `check`.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The value of a `spin`, or of a combo of numbers; 0 where the value is no number.
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }
}

/// The rule options of a game and the position it starts from.
pub trait Rules: Game {
    /// The options that change the rules. They are kept inside a position from its start.
    fn rule_options() -> Vec<OptionSpec>;

    /// The starting position, as `viewer` may see it.
    fn start(rules: &OptionValues, viewer: Option<Seat>) -> Result<Self, NotationError>;

    /// Every rule option in force in this position, with its value, in declared order.
    fn rules(&self) -> Vec<(&'static str, String)>;

    /// All rule options at their defaults.
    fn default_rules() -> OptionValues {
        OptionValues::new(Self::rule_options())
    }
}
