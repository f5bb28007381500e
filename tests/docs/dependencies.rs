//! Every library that `Cargo.toml` asks for is used.

use std::fs;
use std::path::Path;

/// The names in one section of `Cargo.toml`, as the code writes them.
fn section(manifest: &str, title: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != title).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.replace('-', "_"))).collect()
}

fn read(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

fn unused(title: &str, folders: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let mut code = String::new();
    folders.iter().for_each(|folder| read(&root.join(folder), &mut code));
    let names = section(&manifest, title);
    assert!(names.len() > 3, "no {title} in Cargo.toml");
    names.into_iter().filter(|name| !code.contains(&format!("{name}::"))).collect()
}

#[test]
fn every_dependency_is_used() {
    assert_eq!(unused("[dependencies]", &["src", "bin"]), [""; 0]);
    assert_eq!(unused("[dev-dependencies]", &["tests", "benches"]), [""; 0]);
}
