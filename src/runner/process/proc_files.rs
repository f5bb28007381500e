//! What the system tells of other processes, where it has `/proc` (Linux); nothing elsewhere.

/// A process, told from a later one of the same id by when it was started.
pub(super) type Identity = (u32, u64);

/// The children of a process, of all its threads.
pub(super) fn children(process: &str) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
        })
        .collect()
}

/// The children of a process, their children, and so on.
pub(super) fn descendants(process: u32) -> Vec<Identity> {
    let mut found: Vec<Identity> = Vec::new();
    let mut unread = vec![process];
    while let Some(next) = unread.pop() {
        for child in children(&next.to_string()) {
            if let Some(started) = started(child)
                && !found.contains(&(child, started))
            {
                found.push((child, started));
                unread.push(child);
            }
        }
    }
    found
}

/// The environment that a process was started with; `None` where it is not told.
pub(super) fn environment(process: u32) -> Option<Vec<u8>> {
    std::fs::read(format!("/proc/{process}/environ")).ok()
}

/// The values of a variable in an environment: more than one if it is there more than once.
pub(super) fn values<'a>(environment: &'a [u8], name: &str) -> impl Iterator<Item = &'a [u8]> {
    environment.split(|&byte| byte == 0).filter_map(move |entry| {
        entry.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"="))
    })
}

/// Whether a variable is in an environment, its value beginning with a text.
pub(super) fn has_variable(environment: &[u8], name: &str, start: &str) -> bool {
    values(environment, name).any(|value| value.starts_with(start.as_bytes()))
}

/// When a process was started, in ticks since the system was.
pub(super) fn started(process: u32) -> Option<u64> {
    // 19 fields after the state, which is the first after the name.
    fields(process)?.split_whitespace().nth(19)?.parse().ok()
}

/// Whether a process has ended and was not waited for.
pub(super) fn is_zombie(process: u32) -> bool {
    fields(process).is_some_and(|fields| fields.starts_with('Z'))
}

/// What follows the name of a process in its status.
fn fields(process: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold anything.
    Some(stat.rsplit_once(')')?.1.trim_start().to_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn descendants_are_told_with_their_environment() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "env -i A=one B=two sleep 100 & echo; wait"]).stdout(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let ours = || descendants(std::process::id());
        let is_sleep = |&(process, _): &Identity| {
            environment(process).is_some_and(|text| text == b"A=one\0B=two\0")
        };
        let sleep = loop {
            if let Some(sleep) = ours().into_iter().find(is_sleep) {
                break sleep;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        };
        let environment = environment(sleep.0).unwrap();
        for (name, start, found) in
            [("A", "one", true), ("A", "o", true), ("A", "two", false), ("C", "", false)]
        {
            assert_eq!(has_variable(&environment, name, start), found, "{name}={start}");
        }
        assert_eq!(started(sleep.0), Some(sleep.1));
        assert!(!is_zombie(sleep.0));
        let id = i32::try_from(sleep.0).unwrap();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGKILL).unwrap();
        shell.wait().unwrap();
        assert!(!ours().contains(&sleep));
    }
}
