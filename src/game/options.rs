//! Rule options and engine options: their declarations and values.
//!
//! An option is declared once, as a constant of type [`Check`], [`Spin`], [`Combo`] or [`Text`], and
//! read by it: `const BLOB: Check = Check::new("Blob", false, "..."); BLOB.get(&options)`.

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

/// The declared options of a program and their values. Names ignore case. Without declarations
/// every option reads as its default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues {
    options: Vec<(OptionSpec, String)>,
}

impl OptionValues {
    /// All options at their defaults.
    #[must_use]
    pub fn new(specs: Vec<OptionSpec>) -> Self {
        let at_default = |spec: OptionSpec| {
            let value = spec.default_value();
            (spec, value)
        };
        OptionValues { options: specs.into_iter().map(at_default).collect() }
    }

    /// The declarations and values in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&OptionSpec, &str)> {
        self.options.iter().map(|(spec, value)| (spec, value.as_str()))
    }

    /// The declarations in order.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.iter().map(|(spec, _)| spec)
    }

    /// The declaration of one option and its value as text.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(&OptionSpec, &str)> {
        self.iter().find(|(spec, _)| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let found = self.options.iter_mut().find(|(spec, _)| spec.name.eq_ignore_ascii_case(name));
        let (spec, old) = found.ok_or_else(|| OptionError::Unknown(name.into()))?;
        *old = spec.accept(value)?;
        Ok(())
    }

    /// The value of an option that some constant declares; `None` without declarations.
    fn value(&self, name: &str) -> Option<&str> {
        let found = self.find(name).map(|(_, value)| value);
        debug_assert!(found.is_some() || self.options.is_empty(), "option {name} is not listed");
        found
    }
}

/// An option that is true or false.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    name: &'static str,
    default: bool,
    about: &'static str,
}

impl Check {
    /// The option with its default and one line for `help`.
    #[must_use]
    pub const fn new(name: &'static str, default: bool, about: &'static str) -> Self {
        Check { name, default, about }
    }

    /// The declaration.
    #[must_use]
    pub fn spec(&self) -> OptionSpec {
        OptionSpec::new(self.name, OptionKind::Check { default: self.default }, self.about)
    }

    /// The value.
    #[must_use]
    pub fn get(&self, options: &OptionValues) -> bool {
        options.value(self.name).map_or(self.default, |value| value == "true")
    }

    /// Name and value, as a position lists its rules.
    #[must_use]
    pub fn with(&self, value: bool) -> (&'static str, String) {
        (self.name, value.to_string())
    }
}

/// An option that is an integer in a closed range.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    about: &'static str,
}

impl Spin {
    /// The option with its default, smallest and largest value, and one line for `help`.
    #[must_use]
    pub const fn new(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        about: &'static str,
    ) -> Self {
        Spin { name, default, min, max, about }
    }

    /// The declaration.
    #[must_use]
    pub fn spec(&self) -> OptionSpec {
        let kind = OptionKind::Spin { default: self.default, min: self.min, max: self.max };
        OptionSpec::new(self.name, kind, self.about)
    }

    /// The value.
    #[must_use]
    pub fn get(&self, options: &OptionValues) -> i64 {
        options.value(self.name).and_then(|value| value.parse().ok()).unwrap_or(self.default)
    }

    /// Name and value, as a position lists its rules.
    #[must_use]
    pub fn with(&self, value: impl Into<i64>) -> (&'static str, String) {
        (self.name, value.into().to_string())
    }
}

/// An option that is one of a list of named values; the first is the default.
#[derive(Clone, Copy, Debug)]
pub struct Combo<T: 'static> {
    name: &'static str,
    values: &'static [(&'static str, T)],
    about: &'static str,
}

impl<T: Copy + PartialEq> Combo<T> {
    /// The option with its values and one line for `help`.
    #[must_use]
    pub const fn new(
        name: &'static str,
        values: &'static [(&'static str, T)],
        about: &'static str,
    ) -> Self {
        Combo { name, values, about }
    }

    /// The declaration.
    #[must_use]
    pub fn spec(&self) -> OptionSpec {
        let values = self.values.iter().map(|(value, _)| value.to_string()).collect();
        OptionSpec::new(self.name, OptionKind::Combo { values }, self.about)
    }

    /// The value.
    #[must_use]
    pub fn get(&self, options: &OptionValues) -> T {
        let value = options.value(self.name);
        let found = self.values.iter().find(|(name, _)| Some(*name) == value);
        found.unwrap_or(&self.values[0]).1
    }

    /// The name of a value.
    #[must_use]
    pub fn name_of(&self, value: T) -> &'static str {
        self.values.iter().find(|(_, known)| *known == value).unwrap_or(&self.values[0]).0
    }

    /// Names of option and value, as a position lists its rules.
    #[must_use]
    pub fn with(&self, value: T) -> (&'static str, String) {
        (self.name, self.name_of(value).into())
    }
}

/// An option that is any text.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    name: &'static str,
    default: &'static str,
    about: &'static str,
}

impl Text {
    /// The option with its default and one line for `help`.
    #[must_use]
    pub const fn new(name: &'static str, default: &'static str, about: &'static str) -> Self {
        Text { name, default, about }
    }

    /// The declaration.
    #[must_use]
    pub fn spec(&self) -> OptionSpec {
        OptionSpec::new(self.name, OptionKind::Text { default: self.default.into() }, self.about)
    }

    /// The value.
    #[must_use]
    pub fn get<'a>(&self, options: &'a OptionValues) -> &'a str {
        options.value(self.name).unwrap_or(self.default)
    }

    /// Name and value, as a position lists its rules.
    #[must_use]
    pub fn with(&self, value: String) -> (&'static str, String) {
        (self.name, value)
    }
}
