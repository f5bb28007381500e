//! Completions and man pages, written by every program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{PARLOR, scratch, within};

/// Every program, one of its subcommands, and an option of that subcommand.
const PROGRAMS: [(&str, &str, &str); 6] = [
    (PARLOR, "match", "--concurrency"),
    (env!("CARGO_BIN_EXE_barca"), "perft", "--no-bulk"),
    (env!("CARGO_BIN_EXE_porrika"), "selfplay", "--movetime"),
    (env!("CARGO_BIN_EXE_chowka-bhara"), "equity", "--records"),
    (env!("CARGO_BIN_EXE_pacru"), "go", "--nodes"),
    (env!("CARGO_BIN_EXE_barbarossa"), "recognise", "--set"),
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

/// What bash offers for the last of these words.
fn bash_offers(program: &str, words: &[&str]) -> Vec<String> {
    let directory = scratch();
    let (name, file) = (name_of(program), within(&directory, "completions"));
    std::fs::write(&file, output(program, &["completions", "bash"])).unwrap();
    let [.., before, last] = words else { panic!("{words:?}") };
    let script = format!(
        "source {file}; COMP_WORDS=({name} {words}); COMP_CWORD={count}; \
         _{function} {name} '{last}' '{before}'; echo \"${{COMPREPLY[*]}}\"",
        words = words.join(" "),
        count = words.len(),
        function = name.replace('-', "__")
    );
    let text = output("bash", &["-c", &script]);
    let offers: BTreeSet<String> = text.split_whitespace().map(String::from).collect();
    offers.into_iter().collect()
}

#[test]
fn completions_know_games_players_and_options() {
    let [_, barca, .., barbarossa] = PROGRAMS.map(|(program, ..)| program);
    for (program, words, expected) in [
        (PARLOR, &["match", "bar"][..], &["barbarossa", "barca"][..]),
        (PARLOR, &["play", "por"], &["porrika"]),
        (barca, &["selfplay", "alpha"], &["alphabeta"]),
        (barca, &["--set", "Ha"], &["Hash="]),
        (barbarossa, &["selfplay", "--second-set", "Answ"], &["Answerer="]),
    ] {
        assert_eq!(bash_offers(program, words), expected, "{words:?}");
    }
    // Offered, not demanded: an engine may be any program, a player is checked by its name.
    let refused = Command::new(PARLOR).args(["play", "./no/such"]).output().unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no program at ./no/such"));
}

/// What fish offers at the end of a line; `None` where there is no fish.
fn fish_offers(program: &str, line: &str) -> Option<String> {
    let directory = scratch();
    let folder = directory.path().join("fish/completions");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{}.fish", name_of(program)));
    std::fs::write(file, output(program, &["completions", "fish"])).unwrap();
    let bin = std::path::Path::new(program).parent().unwrap();
    let script = format!("set -x PATH '{}' $PATH; complete -C'{line}'", bin.display());
    let mut fish = Command::new("fish");
    fish.args(["-c", &script]).env("XDG_CONFIG_HOME", directory.path());
    let found = fish.current_dir(directory.path()).output().ok()?;
    Some(String::from_utf8(found.stdout).unwrap())
}

#[test]
fn fish_knows_games_players_and_options() {
    let [_, barca, .., barbarossa] = PROGRAMS.map(|(program, ..)| program);
    for (program, line, expected) in [
        (PARLOR, "parlor match bar", "barbarossa"),
        (PARLOR, "parlor play por", "porrika"),
        (PARLOR, "parlor completions zs", "zsh"),
        (barca, "barca selfplay alpha", "alphabeta"),
        (barca, "barca go --set Ha", "Hash="),
        (barbarossa, "barbarossa selfplay --second-set Answ", "Answerer="),
    ] {
        let text = output(program, &["completions", "fish"]);
        assert!(text.contains(expected), "{line}");
        if let Some(offers) = fish_offers(program, line) {
            assert!(offers.lines().any(|offer| offer.starts_with(expected)), "{line}: {offers}");
        }
    }
}

#[test]
fn completions_are_installed_where_the_shells_look() {
    let home = scratch();
    for (shell, file) in [
        ("bash", ".local/share/bash-completion/completions/barca"),
        ("zsh", ".local/share/zsh/site-functions/_barca"),
        ("fish", ".config/fish/completions/barca.fish"),
    ] {
        let mut command = Command::new(PROGRAMS[1].0);
        command.env("HOME", home.path()).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
        let output = command.args(["completions", shell, "--install"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = std::fs::read_to_string(home.path().join(file)).unwrap();
        assert!(text.contains("perft"), "{shell}");
    }
}

#[test]
fn man_finds_the_pages_of_a_program_in_the_path() {
    let home = scratch();
    let bin = home.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let program = bin.join("barca");
    std::fs::copy(PROGRAMS[1].0, &program).unwrap();
    let text = output(program.to_str().unwrap(), &["man"]);
    assert!(text.contains("share/man/man1; try: man barca"), "{text}");
    let page = home.path().join("share/man/man1/barca-go.1");
    let text = std::fs::read_to_string(&page).unwrap();
    for part in [".SH EXAMPLES", "barca go", ".SH \"EXIT STATUS\"", ".SH \"SEE ALSO\"", "parlor"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Where there is no man, the file is all that can be looked at.
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut man = Command::new("man");
    man.args(["-w", "barca-go"]).env("PATH", path).env_remove("MANPATH");
    if let Ok(found) = man.output()
        && found.status.code() != Some(127)
    {
        let found = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        assert_eq!(std::fs::canonicalize(found).unwrap(), std::fs::canonicalize(page).unwrap());
    }
}

/// The examples of a help text: indented lines after the line `Examples:`.
fn examples(help: &str) -> Vec<String> {
    let after = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    after.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_help_of_every_subcommand_has_examples() {
    for (program, ..) in PROGRAMS {
        let help = output(program, &["--help"]);
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
            // Further lines of a description are indented more.
            line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty())
        });
        let names: Vec<&str> = names.filter(|name| *name != "help").collect();
        assert!(names.len() > 8, "{help}");
        for name in names {
            let help = output(program, &[name, "--help"]);
            assert!(help.contains("\nExample"), "{program} {name}: {help}");
        }
    }
}

#[test]
fn the_examples_of_the_help_work_as_typed() {
    let folder = Path::new(PARLOR).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut tried = 0;
    for (program, ..) in &PROGRAMS[1..] {
        let directory = scratch();
        let subcommands = ["", "rules", "go", "perft", "legalmoves", "eval", "d", "svg", "demo"];
        let examples = subcommands.iter().flat_map(|name| {
            let words: Vec<&str> =
                [*name, "--help"].into_iter().filter(|w| !w.is_empty()).collect();
            let found = examples(&output(program, &words));
            assert!(!found.is_empty(), "{program} {name}");
            found
        });
        let mut examples: Vec<String> = examples.collect();
        examples.sort();
        examples.dedup();
        // A few commands in place of a search or a game that a debug build plays for long.
        let quick = |example: &String| !example.contains("demo") && !example.ends_with("bench");
        for example in examples.iter().filter(|example| quick(example)) {
            let mut shell = Command::new("bash");
            shell.args(["-o", "pipefail", "-c", example]).env("PATH", &path);
            let output = shell.current_dir(&directory).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{example}: {output:?}");
            tried += 1;
        }
        let demo = output(program, &["demo", "--nodes", "20", "--plies", "30"]);
        let last = demo.lines().last().unwrap();
        assert!(demo.lines().count() < 90 && last.contains("parlor play"), "{demo}");
    }
    assert!(tried > 40, "{tried}");
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
