//! The commands of this program on the pages and in the notebooks: they and their options exist.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of the product and the notebooks of the lab.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/engine", "lab/notes"] {
        let found = std::fs::read_dir(root.join(folder)).expect("a folder of pages");
        let found = found.map(|entry| entry.expect("an entry").path());
        pages.extend(found.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages
}

/// The words of every `parlor-lab GAME COMMAND ...` in the blocks labelled `sh`.
fn commands(page: &str) -> Vec<Vec<String>> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let scripts = blocks.filter_map(|block| block.strip_prefix("sh\n"));
    let joined: String = scripts.map(|script| script.replace("\\\n", " ") + "\n").collect();
    let parts =
        joined.split(['\n', ';', '|', '&']).map(|part| part.split(" #").next().unwrap_or(""));
    let words = parts.map(|part| part.split_whitespace().map(String::from).collect::<Vec<_>>());
    words.filter(|words| words.first().is_some_and(|word| word == "parlor-lab")).collect()
}

#[test]
fn the_commands_of_the_pages_exist_with_their_options() {
    let mut read = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for words in commands(&text) {
            let names = words[1..].iter().take(2).take_while(|word| !word.starts_with('-'));
            let help =
                Command::new(env!("CARGO_BIN_EXE_parlor-lab")).args(names).arg("--help").output();
            let help = help.expect("the help");
            let place = format!("{}: {}", page.display(), words.join(" "));
            assert!(help.status.success(), "{place}");
            let known = String::from_utf8_lossy(&help.stdout);
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().unwrap_or(option);
                assert!(known.contains(option), "{place}: there is no {option}");
                read += 1;
            }
        }
    }
    assert!(read > 30, "only {read} options");
}
