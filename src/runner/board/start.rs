//! The command line of `parlor board`: where to listen, which engines, and the address that opens
//! in the browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, value_parser};

use super::catalogue;
use super::http::{self, Hosts};
use super::listener::{Limited, Visitor};
use super::recording::Recording;
use super::replay::Replay;
use super::saved_folder::Folder;
use super::server::{Server, Settings, is_clock};
use super::worker::Threads;
use crate::printing::note_line;
use crate::printing::print;
use crate::runner::process::{LONGEST_WAIT, Limits, interrupt, set_apart};

pub(in crate::runner) const EXAMPLES: &str = "\
Examples:
  parlor board                                     a page with a menu of the games opens
  parlor board barca                               Barca at once
  parlor board barca --tc 5:00+3                   with clocks: 5 minutes and 3 seconds a move
  parlor board barca 'cmd=./rival proto=ugi'       your engine in the same menu
  parlor board barbarossa --rule Players=4 --listen 0.0.0.0
                                                   phones in the same house: one link a seat
  parlor board barca --record games.jsonl          keeps every finished game
  parlor board --replay match.jsonl                steps through recorded games

The page is for whoever has the address with its key, which is the same every time until --new-key
asks for another. Ctrl-C ends the board and its engines; unfinished games are kept and offered the
next time.";

/// The port that is tried first, so that a bookmark stays good.
const PORT: u16 = 8780;

/// How long engines may take to end.
const FAREWELL: Duration = Duration::from_millis(1500);

/// Play and look at games in a browser.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct BoardOptions {
    /// Engines of one game: NAME of a built-in one, or as for parlor match; the first one says what
    /// the rules are [default: a menu of the built-in games]
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,
    /// A rule option, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// A clock for each seat: [moves/]seconds[+increment], also as m:s
    #[arg(long, value_name = "CLOCK")]
    tc: Option<String>,
    /// Milliseconds per move of an engine, unless the page says otherwise
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = value_parser!(u64).range(..=LONGEST_WAIT * 1000))]
    movetime: u64,
    /// Append every finished game to a record file, as parlor match writes it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Step through the games of a record file
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Listen on this address for other devices; 0.0.0.0: on all [default: this computer alone]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// A name under which other devices reach this computer (repeat for more)
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The port; 0: any free one [default: 8780, or any free one if that is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Give the host a new key: addresses of earlier runs lead here no more
    #[arg(long)]
    new_key: bool,
    /// Print the address, but do not open the browser
    #[arg(long)]
    no_open: bool,
}

/// Serves the board until Ctrl-C.
///
/// # Errors
/// Wrong options, or an address that cannot be listened on.
pub(in crate::runner) fn run(options: &BoardOptions, built_in: &[&str]) -> Result<ExitCode> {
    if let Some(tc) = &options.tc {
        Limits::default().set("tc", tc).context("--tc")?;
    }
    ensure!(options.movetime > 0, "--movetime 0: write milliseconds above 0");
    for rule in &options.rules {
        ensure!(
            rule.split_once('=').is_some_and(|(name, _)| !name.is_empty()),
            "--rule {rule}: write NAME=VALUE, as Players=4"
        );
    }
    ensure!(
        options.rules.is_empty() || !options.engines.is_empty(),
        "--rule needs the game that it is for: parlor board barbarossa --rule Players=4"
    );
    for host in &options.hosts {
        ensure!(is_host(host), "--host {host}: write a name such as games.local, without a port");
    }
    let menu = catalogue::menu(&options.engines, &options.rules, built_in)?;
    let Some(first) = menu.first() else { bail!("no engine is built in; name one") };
    if !options.rules.is_empty() {
        // What the engine refuses is told now, and not by the page.
        first.try_rules()?;
    }
    let named = menu.first().filter(|_| !options.engines.is_empty());
    let replay = options.replay.as_ref();
    let replay = replay.map(|path| Replay::open(path, named, built_in)).transpose()?;
    let address = options.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let listener = listen(address, options.port)?;
    let local = listener.local_addr()?;
    let shown = shown_address(local.ip(), &options.hosts);
    let base = format!("http://{shown}:{}/#", local.port());
    let recording = options.record.clone().map(Recording::open).transpose()?;
    let folder = Folder::open()?;
    let token = folder.host_token(options.new_key)?;
    let settings = Settings {
        menu: menu.into_iter().map(Arc::new).collect(),
        tc: options.tc.clone().filter(|tc| is_clock(tc)),
        movetime: options.movetime,
        rules: options.rules.clone(),
        start: !options.engines.is_empty() && replay.is_none(),
        replay,
        address: Some(base.clone()),
        saved_games: Arc::new(folder),
        recording: recording.map(Recording::recorder),
        workshop: Arc::new(Threads),
        threads: true,
    };
    let server = Arc::new(Server::new(settings, token));
    let hosts = Hosts::new(&own_addresses(local.ip()), &options.hosts, local.port());
    serve(listener, server, hosts, &base, options)
}

fn is_host(host: &str) -> bool {
    let fit = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
    !host.is_empty() && host.len() <= 253 && host.chars().all(fit)
}

/// Listens on the port that was asked for; without one on the usual port, or any free one.
fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener> {
    let first = TcpListener::bind(SocketAddr::new(address, port.unwrap_or(PORT)));
    let listener = match (first, port) {
        (Ok(listener), _) => listener,
        (Err(error), Some(port)) => {
            bail!("{address}:{port} cannot be listened on: {error}; try another --port")
        }
        (Err(_), None) => TcpListener::bind(SocketAddr::new(address, 0))
            .with_context(|| format!("{address} cannot be listened on"))?,
    };
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// What stands in addresses: a name given, or an address that others can reach.
fn shown_address(address: IpAddr, hosts: &[String]) -> String {
    if let Some(host) = hosts.first() {
        return host.clone();
    }
    let address = if address.is_unspecified() {
        outward_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
    } else {
        address
    };
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// The addresses under which this computer may be named.
fn own_addresses(address: IpAddr) -> Vec<IpAddr> {
    if address.is_unspecified() { outward_address().into_iter().collect() } else { vec![address] }
}

/// The address from which this computer would reach others. Nothing is sent: the system only looks
/// the way up.
fn outward_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address of a private network, so that the way is that of the house.
    socket.connect((Ipv4Addr::new(192, 168, 255, 254), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

fn serve(
    listener: TcpListener,
    server: Arc<Server>,
    hosts: Hosts,
    address: &str,
    options: &BoardOptions,
) -> Result<ExitCode> {
    let stop = Arc::new(tokio::sync::Notify::new());
    let stopped = Arc::clone(&stop);
    interrupt::listen(move |_| stop.notify_one())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = Limited::new(tokio::net::TcpListener::from_std(listener)?);
        announce(&format!("{address}{}", server.host_token), options);
        let router = http::router(Arc::clone(&server), hosts);
        let service = router.into_make_service_with_connect_info::<Visitor>();
        tokio::select! {
            served = axum::serve(listener, service) => served.context("the server failed"),
            () = stopped.notified() => Ok(()),
        }
    });
    // Nothing that a slow disk or engine keeps busy is waited for.
    runtime.shutdown_background();
    served?;
    farewell(&server);
    Ok(ExitCode::SUCCESS)
}

/// Prints the address, and opens it.
fn announce(url: &str, options: &BoardOptions) {
    print(&format!("The board is at {url}"));
    if let Some(warning) = options.listen.and_then(warning) {
        note_line!("parlor: {warning}");
    }
    print("Ctrl-C ends it.");
    if !options.no_open {
        open_browser(url);
    }
}

/// What to know before other computers are let in.
fn warning(address: IpAddr) -> Option<String> {
    (!address.is_loopback()).then(|| {
        format!(
            "listening on {address}: whoever has the address above can do everything on this \
             board, also from other computers, and what is sent is not encrypted. Give the others \
             only the link of their own seat: the page shows one for each seat \"by link\"."
        )
    })
}

/// Opens the address in the browser, where there is one.
fn open_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !cfg!(target_os = "macos") && !screen {
        return;
    }
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = set_apart(&mut command).spawn() {
        // Waited for, so that it leaves no zombie; it may run as long as the browser does.
        let waits = move || drop(child.wait());
        let _ = std::thread::Builder::new().name("browser".into()).spawn(waits);
    }
}

/// Ends the games and their engines.
fn farewell(server: &Server) {
    server.close_all();
    let deadline = Instant::now() + FAREWELL;
    while !server.is_idle() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt::kill_remaining();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_lets_others_in_is_warned() {
        assert_eq!(warning(IpAddr::from([127, 0, 0, 1])), None);
        for open in [IpAddr::from([0, 0, 0, 0]), IpAddr::from([192, 168, 1, 5])] {
            let warning = warning(open).unwrap();
            assert!(warning.contains(&open.to_string()) && warning.contains("not encrypted"));
        }
    }

    #[test]
    fn links_name_what_others_can_reach() {
        let address = IpAddr::from([192, 168, 1, 5]);
        assert_eq!(shown_address(address, &[]), "192.168.1.5");
        assert_eq!(shown_address(IpAddr::from([0u16, 0, 0, 0, 0, 0, 0, 1]), &[]), "[::1]");
        assert_eq!(shown_address(address, &["games.local".into()]), "games.local");
        assert_eq!(own_addresses(address), [address]);
    }
}
