//! What is served over HTTP: the files of the page, and the socket. Every request must name a host
//! that is on the list, so that no other site's name can be made to lead here.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;

use super::listener::Visitor;
use super::server::Server;
use super::socket;

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "src/runner/board/page/"]
struct Page;

/// The outlines of pieces, which the page draws as `X svg` does.
const ICONS: &str = include_str!("../../../data/icons.txt");

/// Only what the server itself sends may run, and only it is talked to.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Who may be named as the host.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    names: Vec<String>,
    port: u16,
}

impl Hosts {
    /// The loopback names, the addresses that are listened on, and the names given.
    pub(super) fn new(addresses: &[IpAddr], names: &[String], port: u16) -> Self {
        let mut all: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].iter().map(|&name| name.to_owned()).collect();
        for address in addresses {
            all.push(match address {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            });
        }
        all.extend(names.iter().map(|name| name.to_ascii_lowercase()));
        Hosts { names: all, port }
    }

    /// Whether a `Host` is on the list: a name with our port, or without one where that means ours.
    fn allows(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        self.names.iter().any(|name| {
            *host == format!("{name}:{}", self.port) || (self.port == 80 && host == *name)
        })
    }

    /// Whether an `Origin` is a page of ours.
    fn allows_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.allows(host))
    }
}

/// What every handler knows.
#[derive(Clone)]
struct Shared {
    server: Arc<Server>,
    hosts: Hosts,
}

/// The routes.
pub(super) fn router(server: Arc<Server>, hosts: Hosts) -> Router {
    let shared = Shared { server, hosts };
    Router::new()
        .route("/socket", get(open_socket))
        .fallback(file)
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

/// Checks the host and adds the headers that every answer has.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match refuse(&shared, &request) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refuse(shared: &Shared, request: &Request) -> Option<(StatusCode, &'static str)> {
    let host = text(request.headers(), &header::HOST);
    if !host.is_some_and(|host| shared.hosts.allows(host)) {
        let text = "this name is not served; start the board with --host NAME to allow it\n";
        return Some((StatusCode::MISDIRECTED_REQUEST, text));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET\n"));
    }
    None
}

/// A header that is there once.
fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// A file of the page.
async fn file(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind_of(path)))];
    if path == "icons.txt" {
        return (kind, ICONS).into_response();
    }
    match plain.then(|| Page::get(path)).flatten() {
        Some(file) => {
            let is_code = path.ends_with(".js") || path.ends_with(".css");
            let code = str::from_utf8(&file.data).ok().filter(|_| is_code).map(bare);
            let body = code.map_or_else(|| Body::from(file.data.into_owned()), Body::from);
            (kind, body).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

/// A script or a style sheet without indentation and comments, a sixth of what a page weighs packed:
/// those that begin a line, and types. Lines keep their numbers, for what browsers say of errors.
fn bare(code: &str) -> String {
    let mut bare = String::with_capacity(code.len());
    let mut is_comment = false;
    for line in code.lines() {
        let mut rest = line.trim();
        while !rest.is_empty() {
            if is_comment {
                is_comment = !rest.contains("*/");
                rest = rest.split_once("*/").map_or("", |(_, after)| after.trim_start());
            } else if rest.starts_with("//") {
                rest = "";
            } else if rest.starts_with("/*") {
                (is_comment, rest) = (true, &rest[2..]);
            } else {
                let end = rest.find("/** @").unwrap_or(rest.len());
                let (before, after) = rest.split_at(end);
                bare.push_str(before);
                rest = after;
            }
        }
        bare.push('\n');
    }
    bare
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("md") => "text/markdown; charset=utf-8",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// Opens the socket, for pages of ours alone.
async fn open_socket(
    State(shared): State<Shared>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let origin = text(&headers, &header::ORIGIN);
    if !origin.is_some_and(|origin| shared.hosts.allows_origin(origin)) {
        return (StatusCode::FORBIDDEN, "the socket is for the board's own page\n").into_response();
    }
    upgrade
        .max_message_size(socket::MAX_IMPORT)
        .max_frame_size(socket::MAX_IMPORT)
        .on_upgrade(move |socket| socket::run(socket, shared.server, visitor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_served_without_comments_and_lines_keep_their_numbers() {
        let code = "// One.\n/**\n * Two.\n */\nconst a = /** @type {any} */ (b); // kept\n  f(/** @param {A} a */ (a) => a);\n/* b */ .c { d: e; }";
        assert_eq!(bare(code), "\n\n\n\nconst a = (b); // kept\nf((a) => a);\n.c { d: e; }\n");
    }

    #[test]
    fn only_listed_hosts_are_allowed() {
        let hosts = Hosts::new(&[IpAddr::from([192, 168, 1, 5])], &["Games.local".into()], 8780);
        for good in ["127.0.0.1:8780", "LOCALHOST:8780", "[::1]:8780", "192.168.1.5:8780"] {
            assert!(hosts.allows(good), "{good}");
        }
        assert!(hosts.allows("games.local:8780"));
        for bad in ["127.0.0.1", "127.0.0.1:80", "evil.example:8780", "", "localhost:8780.evil"] {
            assert!(!hosts.allows(bad), "{bad}");
        }
        assert!(hosts.allows_origin("http://localhost:8780"));
        for bad in ["null", "https://localhost:8780", "http://evil.example", "localhost:8780"] {
            assert!(!hosts.allows_origin(bad), "{bad}");
        }
        assert!(Hosts::new(&[], &[], 80).allows("localhost"));
    }
}
