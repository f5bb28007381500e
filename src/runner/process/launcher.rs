//! Starting engines: with the rule options that hold for all of them, then with their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::child::{ErrorOutput, Launch};
use super::client::{Client, ClientSettings, HANDSHAKE};
use super::fault::Fault;
use super::log::Log;
use super::specification::Specification;
use super::warnings::Warnings;
use crate::printing::printable;
use crate::reading;

/// What all engines of one command are started with.
#[derive(Clone, Debug)]
pub(crate) struct Launcher {
    rules: Vec<(String, String)>,
    settings: ClientSettings,
    error_directory: Option<PathBuf>,
}

impl Launcher {
    /// A launcher for these `NAME=VALUE` rule options. `patience` limits `isready`, `stop` and
    /// queries.
    ///
    /// # Errors
    /// A rule option of another form.
    pub(crate) fn new(rules: &[String], patience: Duration) -> Result<Self> {
        let rule = |text: &String| match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
            _ => bail!("--rule {text}: write NAME=VALUE, as Players=4"),
        };
        Ok(Launcher {
            rules: rules.iter().map(rule).collect::<Result<_>>()?,
            settings: ClientSettings {
                handshake: HANDSHAKE,
                patience,
                new_game: patience,
                log: None,
                warnings: Arc::default(),
            },
            error_directory: None,
        })
    }

    /// Other limits of the handshake and of a new game.
    pub(crate) fn with_limits(
        mut self,
        handshake: Option<Duration>,
        new_game: Option<Duration>,
    ) -> Self {
        self.settings.handshake = handshake.unwrap_or(self.settings.handshake);
        self.settings.new_game = new_game.unwrap_or(self.settings.new_game);
        self
    }

    /// Writes everything sent and received to a new file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn with_log(mut self, path: &Path) -> Result<Self> {
        self.settings.log = Some(Arc::new(Log::create(path)?));
        Ok(self)
    }

    /// Keeps the standard error of every process in a file in this directory.
    ///
    /// # Errors
    /// When the directory cannot be created.
    pub(crate) fn with_error_directory(mut self, directory: &Path) -> Result<Self> {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("--stderr {}", directory.display()))?;
        self.error_directory = Some(directory.to_owned());
        Ok(self)
    }

    /// What the engines complain of beside their answers.
    pub(crate) fn warnings(&self) -> Arc<Warnings> {
        Arc::clone(&self.settings.warnings)
    }

    /// How to start an engine; `label` names the file of its standard error.
    pub(crate) fn launch(&self, engine: &Specification, label: &str, cores: &[usize]) -> Launch {
        let error_output = match &self.error_directory {
            None => ErrorOutput::Discard,
            Some(directory) => ErrorOutput::File(directory.join(format!("{label}.stderr"))),
        };
        Launch {
            program: engine.program.clone(),
            arguments: engine.arguments.clone(),
            directory: engine.directory.clone(),
            error_output,
            cores: cores.to_vec(),
        }
    }

    /// The `setoption` lines of an engine: the rules, then its own options.
    pub(crate) fn option_lines(&self, engine: &Specification) -> String {
        let options = self.rules.iter().chain(&engine.options);
        options.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect()
    }

    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn start(
        &self,
        engine: &Specification,
        label: &str,
        cores: &[usize],
    ) -> Result<Client, Fault> {
        let launch = self.launch(engine, label, cores);
        let mut client = Client::start(&launch, engine.dialect, label.to_owned(), &self.settings)?;
        self.set_options(&mut client, engine)?;
        Ok(client)
    }

    /// Sets the options of an engine that runs.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn set_options(
        &self,
        client: &mut Client,
        engine: &Specification,
    ) -> Result<(), Fault> {
        let errors = client.send_synced(&self.option_lines(engine))?;
        client.warn(&errors);
        Ok(())
    }

    /// Starts an engine to look at it before it is used, with every option checked. Where its
    /// standard error is not kept, the last line of it goes into the error message.
    ///
    /// # Errors
    /// A start that fails, an option that is unknown or refused, and the errors of `examine`.
    pub(crate) fn examine<T>(
        &self,
        engine: &Specification,
        title: &str,
        examine: impl FnOnce(&mut Client) -> Result<T>,
    ) -> Result<T> {
        let mut launch = self.launch(engine, &format!("{}.trial", engine.name), &[]);
        let scratch = match launch.error_output {
            ErrorOutput::File(_) => None,
            ErrorOutput::Discard => {
                let name = format!("parlor-{}-{}.stderr", std::process::id(), engine.name);
                let path = std::env::temp_dir().join(name.replace('/', "_"));
                launch.error_output = ErrorOutput::File(path.clone());
                Some(path)
            }
        };
        let result = self.start_checked(engine, title, &launch).and_then(|mut client| {
            let result = examine(&mut client);
            client.quit();
            result
        });
        let last_line = scratch.map_or(String::new(), |path| {
            // An engine may have written without end.
            let text = reading::end(&path, 1 << 16).unwrap_or_default();
            let _ = std::fs::remove_file(&path);
            text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned()
        });
        match result {
            // An engine that failed may have said why.
            Err(error) if error.is::<Fault>() && !last_line.is_empty() => {
                let last_line = printable(&last_line, 200);
                Err(anyhow!("{error} (its last line on standard error: {last_line})"))
            }
            result => result,
        }
        .with_context(|| title.to_owned())
    }

    fn start_checked(
        &self,
        engine: &Specification,
        title: &str,
        launch: &Launch,
    ) -> Result<Client> {
        let label = format!("{title} (trial)").replace(' ', "-");
        let mut client = Client::start(launch, engine.dialect, label, &self.settings)?;
        let rules = self.rules.iter().map(|rule| (rule, "--rule "));
        let own = engine.options.iter().map(|option| (option, "option."));
        for ((name, value), source) in rules.chain(own) {
            if !client.has_option(name) {
                let known: Vec<&str> =
                    client.options().iter().map(|option| option.name.as_str()).collect();
                bail!("no option for {source}{name}={value}; it declares: {}", known.join(", "));
            }
            let errors = client.send_synced(&format!("setoption name {name} value {value}\n"))?;
            if let Some(error) = errors.first() {
                bail!("{source}{name}={value} is refused: {error}");
            }
        }
        let errors = client.send_synced("position startpos\n")?;
        if let Some(error) = errors.first() {
            bail!("'position startpos' is refused: {error}");
        }
        Ok(client)
    }
}
