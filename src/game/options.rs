//! Rule options and engine options: their declarations and values.

use std::collections::BTreeMap;

/// The kind of an option and the values it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// An integer in a closed range.
    Spin {
        /// The default.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of a list of values; the first is the default.
    Combo {
        /// The values.
        values: Vec<String>,
    },
    /// Any text.
    Text {
        /// The default.
        default: String,
    },
    /// An action without a value.
    Button,
}

/// One option: name, kind, and a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name as declared; comparisons ignore case.
    pub name: String,
    /// The kind.
    pub kind: OptionKind,
    /// One line for `help`.
    pub about: String,
}

impl OptionSpec {
    fn new(name: &str, kind: OptionKind, about: &str) -> Self {
        OptionSpec { name: name.into(), kind, about: about.into() }
    }

    /// A `check` option.
    #[must_use]
    pub fn check(name: &str, default: bool, about: &str) -> Self {
        Self::new(name, OptionKind::Check { default }, about)
    }

    /// A `spin` option.
    #[must_use]
    pub fn spin(name: &str, default: i64, min: i64, max: i64, about: &str) -> Self {
        Self::new(name, OptionKind::Spin { default, min, max }, about)
    }

    /// A `combo` option; the first value is the default.
    #[must_use]
    pub fn combo(name: &str, values: &[&str], about: &str) -> Self {
        let values = values.iter().map(|value| value.to_string()).collect();
        Self::new(name, OptionKind::Combo { values }, about)
    }

    /// A `string` option.
    #[must_use]
    pub fn text(name: &str, default: &str, about: &str) -> Self {
        Self::new(name, OptionKind::Text { default: default.into() }, about)
    }

    /// A `button` option.
    #[must_use]
    pub fn button(name: &str, about: &str) -> Self {
        Self::new(name, OptionKind::Button, about)
    }

    /// The default as text; empty for a button.
    #[must_use]
    pub fn default_value(&self) -> String {
        match &self.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { values } => values.first().cloned().unwrap_or_default(),
            OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// Checks a value and returns it in its declared spelling.
    pub fn accept(&self, value: &str) -> Result<String, OptionError> {
        let refuse = |expected: String| {
            Err(OptionError::Value { name: self.name.clone(), value: value.into(), expected })
        };
        match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                flag @ ("true" | "false") => Ok(flag.into()),
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
    /// The option does not accept the value.
    #[error("option {name} takes {expected}, not '{value}'")]
    Value {
        /// The declared name.
        name: String,
        /// The value that was given.
        value: String,
        /// What is expected.
        expected: String,
    },
}

/// The declared options of a program and their values. Names ignore case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues {
    specs: Vec<OptionSpec>,
    values: BTreeMap<String, String>,
}

impl OptionValues {
    /// All options at their defaults.
    #[must_use]
    pub fn new(specs: Vec<OptionSpec>) -> Self {
        let values =
            specs.iter().map(|spec| (spec.name.to_lowercase(), spec.default_value())).collect();
        OptionValues { specs, values }
    }

    /// The declarations in order.
    #[must_use]
    pub fn specs(&self) -> &[OptionSpec] {
        &self.specs
    }

    /// The declaration of one option.
    #[must_use]
    pub fn spec(&self, name: &str) -> Option<&OptionSpec> {
        self.specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = self.spec(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        let value = spec.accept(value)?;
        self.values.insert(name.to_lowercase(), value);
        Ok(())
    }

    /// The value as text; empty for an option that was never declared.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.values.get(&name.to_lowercase()).map_or("", String::as_str)
    }

    /// The value of a `check`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The value of a `spin`, or of a combo of numbers; 0 if the value is not a number.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }
}
