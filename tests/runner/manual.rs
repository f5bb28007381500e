//! Completions and man pages, written by every program.

use std::path::Path;
use std::process::Command;

use crate::support::{PARLOR, scratch, within};

/// Every program, one of its subcommands, and an option of that subcommand.
const PROGRAMS: [(&str, &str, &str); 6] = [
    (PARLOR, "match", "--concurrency"),
    (env!("CARGO_BIN_EXE_barca"), "perft", "--no-bulk"),
    (env!("CARGO_BIN_EXE_porrika"), "selfplay", "--movetime"),
    (env!("CARGO_BIN_EXE_chowka-bhara"), "solve", "--pawns"),
    (env!("CARGO_BIN_EXE_pacru"), "go", "--nodes"),
    (env!("CARGO_BIN_EXE_barbarossa"), "bench-match", "--deals"),
];

fn name_of(program: &str) -> &str {
    Path::new(program).file_name().unwrap().to_str().unwrap()
}

fn output(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{program} {words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn completions_are_what_a_shell_reads() {
    let directory = scratch();
    for (program, subcommand, option) in PROGRAMS {
        let name = name_of(program);
        for shell in ["bash", "zsh", "fish"] {
            let text = output(program, &["completions", shell]);
            let plain = option.trim_start_matches('-');
            assert!(text.contains(subcommand) && text.contains(plain), "{name}, {shell}");
        }
        let file = within(&directory, name);
        std::fs::write(&file, output(program, &["completions", "bash"])).unwrap();
        // Bash itself completes the option after the subcommand.
        let script = format!(
            "source {file}; complete -p {name}; COMP_WORDS=({name} {subcommand} {option}); COMP_CWORD=2; \
             _{function} {name} {option} {subcommand}; echo \"found ${{COMPREPLY[*]}}\"",
            function = name.replace('-', "__")
        );
        let parsed = Command::new("bash").args(["-n", &file]).output().unwrap();
        assert!(parsed.status.success(), "{name}: {parsed:?}");
        let text = output("bash", &["-c", &script]);
        assert!(text.contains(&format!("found {option}")), "{name}: {text}");
    }
}

#[test]
fn man_pages_are_written_for_every_subcommand() {
    for (program, subcommand, option) in PROGRAMS {
        let directory = scratch();
        let pages = within(&directory, "man1");
        output(program, &["man", &pages]);
        let name = name_of(program);
        let page = |file: &str| std::fs::read_to_string(Path::new(&pages).join(file)).unwrap();
        assert!(page(&format!("{name}.1")).contains(".TH"), "{name}");
        // The pages write a hyphen as \-.
        let option = option.replace('-', "\\-");
        let text = page(&format!("{name}-{subcommand}.1"));
        assert!(text.contains(&option), "{name}: {text}");
        assert!(page(&format!("{name}-completions.1")).contains("shell"), "{name}");
    }
}
