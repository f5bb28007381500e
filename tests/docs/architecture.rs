//! The rooms and arrows of `docs/architecture.md`, held against every path in `src`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Rooms = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The table of the document: each room with the rooms it may use.
fn promised() -> Rooms {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2);
    let mut rooms = Rooms::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let names = |cell: &str| -> BTreeSet<String> {
            cell.split('`').skip(1).step_by(2).map(String::from).collect()
        };
        for room in names(cells[0]) {
            rooms.insert(room, names(cells[2]));
        }
    }
    assert!(rooms.len() > 10, "the table of rooms was not found");
    rooms
}

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// `src/games/barca/play/hints.rs` is the module `games barca play hints`.
fn module_of(file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(root().join("src")).unwrap().with_extension("");
    relative.iter().map(|part| part.to_string_lossy().into_owned()).collect()
}

/// The room of a module path: the longest room of the table that begins it. `*` in the name of a
/// room stands for any game.
fn room_of(module: &[String], rooms: &Rooms) -> Option<String> {
    (1..=module.len())
        .rev()
        .find_map(|length| {
            rooms.keys().find(|room| {
                let parts: Vec<&str> = room.split('/').collect();
                parts.len() == length
                    && parts.iter().zip(module).all(|(part, name)| *part == "*" || part == name)
            })
        })
        .cloned()
}

/// The code of a file without comments. Its unit tests keep to the arrows as well.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The module paths that a file names with `crate::` or `super::`, groups in braces taken apart.
fn paths(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let code = code(text);
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            // `super::super::x` is read from its first `super`.
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            expand(&code[at..], &mut Vec::new(), &mut |path| {
                found.extend(absolute(path, module));
            });
        }
    }
    found
}

/// Calls `tell` with every path at the head of `text`; returns what follows.
fn expand<'a>(text: &'a str, prefix: &mut Vec<String>, tell: &mut dyn FnMut(&[String])) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            let length = prefix.len();
            rest = expand(rest, prefix, tell).trim_start();
            prefix.truncate(length);
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        tell(prefix);
        return rest.strip_prefix('*').unwrap_or(rest);
    }
    prefix.push(name.into());
    match rest.strip_prefix("::") {
        Some(more) => expand(more, prefix, tell),
        None => {
            tell(prefix);
            // `x as y`
            rest.strip_prefix(" as ").map_or(rest, |alias| {
                let end = alias.find(|c: char| !c.is_alphanumeric() && c != '_');
                &alias[end.unwrap_or(alias.len())..]
            })
        }
    }
}

/// A path from the root of the crate; `None` if it leads out of it.
fn absolute(path: &[String], module: &[String]) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let rest = path[supers..].iter().filter(|part| *part != "crate").cloned();
    let base = if supers == 0 { &[] } else { module.get(..module.len().checked_sub(supers)?)? };
    Some(base.iter().cloned().chain(rest).collect())
}

/// Every arrow between two rooms that the code draws, with a file that draws it.
fn drawn(rooms: &Rooms) -> BTreeMap<(String, String), String> {
    let mut files = Vec::new();
    source_files(&root().join("src"), &mut files);
    assert!(files.len() > 100);
    let mut arrows = BTreeMap::new();
    for file in files {
        let module = module_of(&file);
        if module == ["lib"] {
            continue;
        }
        let from = room_of(&module, rooms)
            .unwrap_or_else(|| panic!("{} belongs to no room of the table", file.display()));
        let text = fs::read_to_string(&file).unwrap();
        for path in paths(&text, &module) {
            let Some(to) = room_of(&path, rooms) else { continue };
            // A room may always name its own head file, and a head file what it holds.
            if to != from
                && !from.starts_with(&format!("{to}/"))
                && !to.starts_with(&format!("{from}/"))
            {
                arrows.entry((from.clone(), to)).or_insert_with(|| file.display().to_string());
            }
        }
    }
    arrows
}

#[test]
fn no_arrow_but_those_of_the_table() {
    let rooms = promised();
    for uses in rooms.values() {
        assert!(uses.iter().all(|room| rooms.contains_key(room)), "unknown room in {uses:?}");
    }
    let mut wrong = Vec::new();
    for ((from, to), file) in drawn(&rooms) {
        if !rooms[&from].contains(&to) {
            wrong.push(format!("{from} -> {to} in {file}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that docs/architecture.md does not allow:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn no_arrow_of_the_table_is_unused() {
    let rooms = promised();
    let drawn = drawn(&rooms);
    let unused: Vec<String> = rooms
        .iter()
        .flat_map(|(from, uses)| uses.iter().map(move |to| (from.clone(), to.clone())))
        .filter(|arrow| !drawn.contains_key(arrow))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    assert!(unused.is_empty(), "arrows that no code draws:\n{}", unused.join("\n"));
}

/// What opens or unpacks a file.
const OPENINGS: [&str; 10] = [
    "File::open(",
    "File::options(",
    "OpenOptions::new(",
    "fs::read(",
    "read_to_string(",
    "zstd::Decoder",
    "decode_all",
    "copy_decode",
    "bulk::decompress",
    "StreamingDecoder::new",
];

/// Files of code that open something, and what.
const OPENED: [(&str, &str); 14] = [
    ("src/reading.rs", "what others wrote"),
    ("src/files.rs", "a folder, to bring it to the disk; what it writes"),
    ("src/engine/logging.rs", "the log that it writes"),
    ("src/runner/board/saved_folder.rs", "the lock of a game"),
    ("src/runner/tournament/merge.rs", "its temporary file"),
    ("src/runner/tournament/record/write.rs", "the records that it writes"),
    ("lab/src/tune_search.rs", "the results that it writes"),
    ("src/free_memory.rs", "what the system says"),
    ("src/games/barbarossa/knowledge/pack.rs", "the table in the program"),
    ("src/runner/process/child.rs", "what the system says"),
    ("src/runner/process/proc_files.rs", "what the system says"),
    ("src/runner/tournament/open_files.rs", "what the system says"),
    ("src/runner/lock.rs", "what the system says"),
    ("lab/src/chowka_bhara/solve/command.rs", "what the system says"),
];

/// The words of a text that open something.
fn openings(text: &str) -> impl Iterator<Item = &'static str> {
    // Unit tests read what they wrote.
    let code = code(text.split("mod tests {").next().unwrap_or(""));
    OPENINGS.into_iter().filter(move |word| {
        code.match_indices(word).any(|(at, _)| {
            !code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    })
}

#[test]
fn files_of_others_are_opened_in_one_place() {
    assert!(openings("let text = std::fs::read_to_string(path);").eq(["read_to_string("]));
    assert!(openings("let file = File::options().read(true).open(path);").eq(["File::options("]));
    assert!(openings("RecordFile::open(path); // fs::read(path)").next().is_none());
    let mut files = Vec::new();
    for folder in ["src", "lab/src", "bin"] {
        source_files(&root().join(folder), &mut files);
    }
    let mut unused: BTreeSet<&str> = OPENED.iter().map(|(file, _)| *file).collect();
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if name.ends_with("tests.rs") {
            continue;
        }
        let found: Vec<_> = openings(&fs::read_to_string(&file).unwrap()).collect();
        if !found.is_empty() && !unused.remove(name.as_str()) {
            wrong.push(format!("{name}: {}", found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "opened past `reading`:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "these open nothing: {unused:?}");
}

#[test]
fn no_circle() {
    let mut rooms = promised();
    // Take away rooms that use nothing that is left, until none is left.
    while !rooms.is_empty() {
        let leaf = rooms.iter().find(|(_, uses)| uses.is_empty()).map(|(room, _)| room.clone());
        let leaf = leaf.unwrap_or_else(|| panic!("a circle among {:?}", rooms.keys()));
        rooms.remove(&leaf);
        rooms.values_mut().for_each(|uses| {
            uses.remove(&leaf);
        });
    }
}

/// The names that a file imports, each with the path that it stands for. Children see those of
/// their parent, and outsiders those that are public: whoever uses one uses the file behind it.
fn imports(text: &str, module: &[String], files: &Files) -> BTreeMap<String, Vec<String>> {
    let code = code(text);
    let mut found = BTreeMap::new();
    for (at, _) in code.match_indices("use ") {
        if code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        expand(&code[at + "use ".len()..], &mut Vec::new(), &mut |path| {
            let path: Vec<String> = path.iter().filter(|part| *part != "self").cloned().collect();
            let path = match path.first().map(String::as_str) {
                Some("crate" | "super") => absolute(&path, module),
                Some(_) => {
                    let own: Vec<String> = module.iter().chain(&path).cloned().collect();
                    files.contains_key(&own[..=module.len()]).then_some(own)
                }
                None => None,
            };
            if let Some(path) = path
                && let Some(name) = path.last()
            {
                found.insert(name.clone(), path.clone());
            }
        });
    }
    found
}

/// The text of every file of `src`, by its module.
type Files = BTreeMap<Vec<String>, String>;

fn files() -> Files {
    let mut found = Vec::new();
    source_files(&root().join("src"), &mut found);
    let read = |file: PathBuf| (module_of(&file), fs::read_to_string(&file).unwrap());
    found.into_iter().map(read).filter(|(module, _)| *module != ["lib"]).collect()
}

/// The files that each file uses, its own parents and children left out.
fn uses(files: &Files) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let of = |(module, text): (&Vec<String>, &String)| imports(text, module, files);
    let imports: BTreeMap<_, _> = files.iter().map(|file| (file.0.clone(), of(file))).collect();
    // The file that a path leads to, through what the files on the way import.
    let behind = |path: &[String]| -> Option<Vec<String>> {
        let mut path = path.to_vec();
        // Imports of imports are followed, but not for ever.
        for _ in 0..8 {
            let length = (1..=path.len()).rev().find(|&n| files.contains_key(&path[..n]))?;
            let import = path.get(length).and_then(|name| imports[&path[..length]].get(name));
            match import.filter(|import| !path.starts_with(import)) {
                Some(import) => path = import.iter().chain(&path[length + 1..]).cloned().collect(),
                None => return Some(path[..length].to_vec()),
            }
        }
        None
    };
    let related =
        |one: &[String], other: &[String]| one.starts_with(other) || other.starts_with(one);
    let of = |(module, text): (&Vec<String>, &String)| {
        let used = paths(text, module).into_iter().filter_map(|path| behind(&path));
        (module.clone(), used.filter(|used| !related(used, module)).collect())
    };
    files.iter().map(of).collect()
}

/// All that can be reached from a node.
fn reached<T: Ord + Clone>(arrows: &BTreeMap<T, BTreeSet<T>>, from: &T) -> BTreeSet<T> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&T> = arrows.get(from).into_iter().flatten().collect();
    while let Some(node) = open.pop() {
        if found.insert(node.clone()) {
            open.extend(arrows.get(node).into_iter().flatten());
        }
    }
    found
}

/// The circles: sets of nodes each of which can be reached from every other.
fn circles<T: Ord + Clone>(arrows: &BTreeMap<T, BTreeSet<T>>) -> BTreeSet<BTreeSet<T>> {
    let reach: BTreeMap<&T, _> = arrows.keys().map(|node| (node, reached(arrows, node))).collect();
    let circle = |node: &T| -> BTreeSet<T> {
        let from = &reach[node];
        from.iter().filter(|other| reach[other].contains(node)).cloned().collect()
    };
    arrows.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_circle_of_files_but_of_parent_and_child() {
    let found: Vec<String> = circles(&uses(&files()))
        .iter()
        .map(|circle| circle.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" "))
        .collect();
    assert!(
        found.is_empty(),
        "files of src that use each other in a circle:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_circle_is_found_through_the_imports_of_a_head_file() {
    let file = |name: &str, text: &str| {
        (name.split('/').map(String::from).collect::<Vec<_>>(), text.to_owned())
    };
    let mut files = Files::from([
        file("a", "mod one;\nmod two;\npub use one::{One, Other};\npub use two::Two;"),
        file("a/one", "use super::Two; struct One;"),
        file("a/two", "use crate::b::three; struct Two;"),
        file("b", "mod three;"),
        file("b/three", "use crate::c::Four; use super::X;"),
        file("c", "fn c() { crate::a::One::new() }"),
    ]);
    let joined = |files: &Files| -> Vec<String> {
        let name = |circle: &BTreeSet<Vec<String>>| {
            circle.iter().map(|module| module.join("/")).collect::<Vec<_>>().join(" ")
        };
        circles(&uses(files)).iter().map(name).collect()
    };
    assert_eq!(joined(&files), ["a/one a/two b/three c"]);
    files.extend([file("c", "// crate::a::One")]);
    assert_eq!(joined(&files), Vec::<String>::new());
}

/// The arrows of the drawings, whose lines read `from --> to & to`.
fn pictured(text: &str) -> Vec<BTreeSet<(String, String)>> {
    let blocks = text.split("```mermaid\n").skip(1).filter_map(|block| block.split("```").next());
    let arrows = |line: &str| -> Vec<(String, String)> {
        let Some((from, to)) = line.split_once(" --> ") else { return Vec::new() };
        to.split(" & ").map(|to| (from.trim().into(), to.trim().into())).collect()
    };
    blocks.map(|block| block.lines().flat_map(arrows).collect()).collect()
}

/// What the programs in `bin` use.
fn of_programs() -> BTreeSet<(String, String)> {
    let mut files = Vec::new();
    source_files(&root().join("bin"), &mut files);
    let mut arrows = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap().replace("parlor::", "crate::");
        arrows.extend(paths(&text, &[]).into_iter().map(|path| ("bin".into(), path[0].clone())));
    }
    arrows
}

#[test]
fn the_drawings_are_the_table() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let drawings = pictured(&text);
    let (mut outer, mut inner) = (of_programs(), BTreeSet::new());
    for (from, uses) in promised() {
        for to in uses {
            let top = |room: &str| room.split('/').next().unwrap().to_string();
            if let (Some(from), Some(to)) =
                (from.strip_prefix("games/*/"), to.strip_prefix("games/*/"))
            {
                inner.insert((from.to_string(), to.to_string()));
            } else if top(&from) != top(&to) {
                outer.insert((top(&from), top(&to)));
            }
        }
    }
    assert_eq!(drawings, [outer, inner]);
}

#[test]
fn paths_are_read_from_groups_and_supers() {
    let module = ["games", "barca", "play", "hints"].map(String::from);
    let text = "use crate::{game::Seat, search::{self, pvs::*}};\nuse super::super::rules::Move;\n// crate::engine\n";
    let found: Vec<String> = paths(text, &module).iter().map(|path| path.join("/")).collect();
    let expected = ["game/Seat", "search/self", "search/pvs", "games/barca/rules/Move"];
    assert_eq!(found, expected);
}
