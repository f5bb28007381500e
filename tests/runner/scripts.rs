//! The scripts of `examples/`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{PARLOR, games, mock, scratch};

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
                 mkdir -p \"$out\"\ncp \"$PARLOR\" \"$out/parlor\"\n";
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
