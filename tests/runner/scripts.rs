//! The scripts of `examples/`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::interrupts::wait_until;
use crate::kills::{children, random_numbers};
use crate::support::{PARLOR, games, mock, scratch, within};

fn example(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}

#[test]
fn another_revision_is_built_once_in_its_own_tree_and_played() {
    let directory = scratch();
    let root = directory.path();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=tests", "-c", "user.email=tests@localhost"]);
        succeed(command.arg("-C").arg(root).args(words))
    };
    std::fs::create_dir_all(root.join("examples")).unwrap();
    std::fs::create_dir_all(root.join("tools")).unwrap();
    let script = root.join("examples/against-revision");
    std::fs::copy(example("against-revision"), &script).unwrap();
    std::fs::write(root.join(".gitignore"), "target\ntools\nbuilds\n").unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    // A builder that notes where it builds, and takes the program under test.
    let builder = root.join("tools/cargo");
    let lines = "#!/bin/sh\npwd >>\"$BUILDS\"\nout=${CARGO_TARGET_DIR:-$PWD/target}/release\n\
                 mkdir -p \"$out\"\nrm -f \"$out/parlor\"\ncp \"$PARLOR\" \"$out/parlor\"\n";
    std::fs::write(&builder, lines).unwrap();
    std::fs::set_permissions(&builder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", root.join("tools").display(), std::env::var("PATH").unwrap());
    let play = |words: &[&str]| {
        let mut command = Command::new(&script);
        command.args(words).env("PATH", &path).env("PARLOR", PARLOR);
        command.env("BUILDS", root.join("builds")).env_remove("CARGO_TARGET_DIR");
        command
    };
    for _ in 0..2 {
        let words = ["HEAD", "barca", "--games", "2", "--nodes", "1", "--ply-limit", "10"];
        let told = succeed(&mut play(&words));
        assert!(told.contains("barca: new against") && told.contains("2 games"), "{told}");
    }
    let builds = std::fs::read_to_string(root.join("builds")).unwrap();
    let of_old = builds.lines().filter(|line| line.contains("target/revisions/")).count();
    assert_eq!((of_old, builds.lines().count()), (1, 3), "{builds}");
    let refused = play(&["nosuch"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("'nosuch' is no revision"));
}

#[test]
fn shards_on_one_machine_are_merged_and_continued() {
    let directory = scratch();
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    // The second time everything is there already; the third time the match is longer.
    for count in ["8", "8", "12"] {
        let mut command = Command::new(example("parallel-match"));
        command.args(["3", &one, &two, "--games", count, "--rule", "Counters=9"]);
        let told = succeed(command.current_dir(directory.path()).env("PARLOR", PARLOR));
        assert!(told.starts_with(&format!("{count} games\n")), "{told}");
    }
    let (header, games) = games(&directory.path().join("match.jsonl"));
    assert_eq!(games.keys().copied().collect::<Vec<u64>>(), (1..=12).collect::<Vec<u64>>());
    assert!(header.run.get("shard").is_none());
}

/// The script of the job array with the variables of the job system.
fn array_task(directory: &Path, index: &str, words: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command.arg(example("slurm-match.sh")).args(words).current_dir(directory);
    command.env("PARLOR", PARLOR).env("SLURM_ARRAY_TASK_ID", index).env("SHARDS", "5");
    command.env("SLURM_ARRAY_JOB_ID", "77").stdin(Stdio::null());
    command
}

/// Tasks play the shards of their indices, whatever other indices the array has: `--array=3`,
/// `--array=1-5:2`. A shard that is complete has not failed, though an engine was at fault.
#[test]
fn a_task_of_the_job_array_plays_the_shard_of_its_index() {
    let directory = scratch();
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    for (index, count, least) in
        [("3", "1", "3"), ("1", "3", "1"), ("5", "3", "1"), ("2", "2", "2")]
            .into_iter()
            .chain([("4", "2", "2")])
    {
        let mut task = array_task(directory.path(), index, &[&one, &two, "--games", "10"]);
        task.env("SLURM_ARRAY_TASK_MIN", least).env("SLURM_ARRAY_TASK_COUNT", count);
        succeed(&mut task);
    }
    let parts: Vec<String> =
        (1..=5).map(|shard| within(&directory, &format!("shard-{shard}.jsonl"))).collect();
    let mut merge = Command::new(PARLOR);
    merge.arg("merge").args(&parts).args(["-o", &within(&directory, "match.jsonl")]);
    assert!(succeed(&mut merge).starts_with("10 games\n"));
    let mut beyond = array_task(directory.path(), "6", &[&one, &two]);
    assert_eq!(beyond.output().unwrap().status.code(), Some(2));
    let other = scratch();
    let plan = within(&other, "plan");
    std::fs::write(&plan, "illegal-move\n".repeat(10)).unwrap();
    let faulty = format!("{} name=C", mock(&format!("--faults {plan}")));
    let told = succeed(&mut array_task(other.path(), "1", &[&one, &faulty, "--games", "10"]));
    assert!(told.contains("illegal-move"), "{told}");
}

/// The signal before the time limit ends the shard, and its task is queued again.
#[test]
fn a_task_of_the_job_array_is_queued_again_before_its_time_is_over() {
    let directory = scratch();
    let tools = directory.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let scontrol = tools.join("scontrol");
    std::fs::write(&scontrol, "#!/bin/sh\necho \"$@\" >queued\n").unwrap();
    std::fs::set_permissions(&scontrol, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let words = [&one, &two, "--games", "100000"];
    let mut task = array_task(directory.path(), "1", &words);
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let mut task = task.env("PATH", path).stdout(Stdio::null()).spawn().unwrap();
    let records = directory.path().join("shard-1.jsonl");
    wait_until("no game", || {
        std::fs::read_to_string(&records).is_ok_and(|text| text.lines().count() > 2)
    });
    kill(Pid::from_raw(task.id().cast_signed()), Signal::SIGUSR1).unwrap();
    assert_eq!(task.wait().unwrap().code(), Some(0));
    let queued = std::fs::read_to_string(directory.path().join("queued")).unwrap();
    assert_eq!(queued, "requeue 77_1\n");
    assert!(games(&records).1.len() > 1);
}

/// The processes of `parlor match` below a process.
fn runners(process: u32) -> Vec<i32> {
    let mut found = Vec::new();
    for child in children(process) {
        let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
        if line.split(|&byte| byte == 0).nth(1) == Some(b"match") {
            found.push(child);
        } else {
            found.extend(runners(child.unsigned_abs()));
        }
    }
    found
}

/// A setting of the environment, for a longer run.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Also for a million games: `PARLOR` and `SHARD_ENGINE` name other programs, `SHARD_GAMES`,
/// `SHARD_KILLS` and `SHARD_PAUSE` (milliseconds between two kills) are the size.
#[test]
fn shards_that_are_killed_and_continued_merge_to_the_file_of_one_run() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let directory = scratch();
    let program = std::env::var("PARLOR").unwrap_or(PARLOR.to_owned());
    let engine =
        std::env::var("SHARD_ENGINE").unwrap_or(format!("cmd={PARLOR} args='engine porrika'"));
    let [one, two] = ["A", "B"].map(|name| format!("{engine} option.Player=random name={name}"));
    let (count, kills) = (setting("SHARD_GAMES", 80), setting("SHARD_KILLS", 4));
    let pause = setting("SHARD_PAUSE", 150);
    let count_text = count.to_string();
    let options =
        [&one, &two, "--games", &count_text, "--nodes", "1", "--ply-limit", "12", "--seed", "5"];
    let shards = || {
        let mut command = Command::new(example("parallel-match"));
        command.arg("8").args(options).current_dir(directory.path());
        command.env("PARLOR", &program).env("PIN", "1");
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut next = random_numbers();
    let mut killed = 0;
    let told = loop {
        let mut script = shards();
        while script.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(pause / 2 + next(pause)));
            let victims = if killed < kills { runners(script.id()) } else { Vec::new() };
            if !victims.is_empty() {
                let victim = victims[next(victims.len() as u64) as usize];
                killed += u64::from(kill(Pid::from_raw(victim), Signal::SIGKILL).is_ok());
            }
        }
        let output = script.wait_with_output().unwrap();
        if output.status.success() {
            break text(&output);
        }
        assert!(killed > 0, "the shards end without having been killed: {}", text(&output));
    };
    println!("{killed} kills\n{told}");
    assert!(told.starts_with(&format!("{count} games\n")), "{told}");
    let whole = within(&directory, "whole.jsonl");
    let mut command = Command::new(&program);
    command.arg("match").args(options).args(["--reproducible", "--quiet", "--report", "0"]);
    let straight = succeed(command.args(["--records", &whole]));
    assert_eq!(told, straight);
    let [merged, whole] = ["match.jsonl", "whole.jsonl"]
        .map(|name| std::fs::read(directory.path().join(name)).unwrap());
    assert!(merged == whole, "the files of {count} games differ");
}
