//! Starting engines: with the rule options that hold for all of them, then with their own.

#[cfg(feature = "runner")]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "runner")]
use anyhow::anyhow;
use anyhow::{Context, Result, bail};

#[cfg(feature = "runner")]
use super::child::{ErrorOutput, Launch};
use super::client::{Client, ClientSettings, HANDSHAKE};
use super::fault::Fault;
#[cfg(feature = "household")]
use super::fault::FaultKind;
#[cfg(feature = "household")]
use super::inside::Inside;
#[cfg(feature = "runner")]
use super::log::Log;
use super::specification::Specification;
use super::warnings::Warnings;
#[cfg(feature = "runner")]
use crate::printing::printable;
#[cfg(feature = "runner")]
use crate::reading;

/// What all engines of one command are started with.
#[derive(Clone, Debug)]
pub(crate) struct Launcher {
    rules: Vec<(String, String)>,
    settings: ClientSettings,
    #[cfg(feature = "runner")]
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
                #[cfg(feature = "runner")]
                log: None,
                warnings: Arc::default(),
            },
            #[cfg(feature = "runner")]
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
    #[cfg(feature = "runner")]
    pub(crate) fn with_log(mut self, path: &Path) -> Result<Self> {
        self.settings.log = Some(Arc::new(Log::create(path)?));
        Ok(self)
    }

    /// Keeps the standard error of every process in a file in this directory.
    ///
    /// # Errors
    /// When the directory cannot be created.
    #[cfg(feature = "runner")]
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
    #[cfg(feature = "runner")]
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
        let mut client = self.connect(engine, label, cores)?;
        self.set_options(&mut client, engine)?;
        Ok(client)
    }

    /// Starts an engine that answers queries and never searches: its tables are as small as they can
    /// be.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn start_referee(
        &self,
        engine: &Specification,
        label: &str,
        cores: &[usize],
    ) -> Result<Client, Fault> {
        let mut client = self.start(engine, label, cores)?;
        let hash = client.options().iter().find(|option| option.name.eq_ignore_ascii_case("Hash"));
        if let Some(least) = hash.and_then(|hash| hash.min) {
            client.send_synced(&format!("setoption name Hash value {least}\n"))?;
        }
        Ok(client)
    }

    /// Starts an engine.
    fn connect(
        &self,
        engine: &Specification,
        label: &str,
        _cores: &[usize],
    ) -> Result<Client, Fault> {
        #[cfg(feature = "household")]
        if let Some(inside) = &engine.inside {
            return self.connect_inside(engine, inside, label);
        }
        #[cfg(feature = "runner")]
        return Client::start(
            &self.launch(engine, label, _cores),
            engine.dialect,
            label.to_owned(),
            &self.settings,
        );
        #[cfg(not(feature = "runner"))]
        Err(no_start(engine))
    }

    #[cfg(feature = "household")]
    fn connect_inside(
        &self,
        engine: &Specification,
        inside: &Inside,
        label: &str,
    ) -> Result<Client, Fault> {
        let session = inside.connect().ok_or_else(|| no_start(engine))?;
        Client::greet(session, engine.dialect, label.to_owned(), &self.settings)
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
        let label = format!("{title} (trial)").replace(' ', "-");
        #[cfg(feature = "household")]
        if let Some(inside) = &engine.inside {
            let client = self.connect_inside(engine, inside, &label);
            let examined = client.map_err(Into::into).and_then(|client| {
                let mut client = self.checked(engine, client)?;
                examine(&mut client)
            });
            return examined.with_context(|| title.to_owned());
        }
        #[cfg(feature = "runner")]
        return self.examine_process(engine, &label, examine).with_context(|| title.to_owned());
        #[cfg(not(feature = "runner"))]
        Err(no_start(engine)).with_context(|| title.to_owned())
    }

    #[cfg(feature = "runner")]
    fn examine_process<T>(
        &self,
        engine: &Specification,
        label: &str,
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
        let settings = &self.settings;
        let client = Client::start(&launch, engine.dialect, label.to_owned(), settings);
        let result = client.map_err(Into::into).and_then(|client| {
            let mut client = self.checked(engine, client)?;
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
    }

    /// Sets every option, and sees that the engine has it and takes it.
    fn checked(&self, engine: &Specification, mut client: Client) -> Result<Client> {
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

/// The fault of an engine that is not there.
#[cfg(feature = "household")]
fn no_start(engine: &Specification) -> Fault {
    Fault {
        kind: FaultKind::NoHandshake,
        detail: format!("{} is not there", engine.name),
        position: String::new(),
        command: String::new(),
    }
}
