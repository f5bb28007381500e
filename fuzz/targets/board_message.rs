//! What the server of `parlor board` reads: messages of a page, games that a page imports, files of
//! unfinished games. Refused with a reason or read; nothing panics.

use parlor::runner::board;

/// The first byte is the kind of text.
pub fn run(data: &[u8]) {
    let Some((kind, bytes)) = super::choose(data, 4) else { return };
    let text = String::from_utf8_lossy(bytes);
    let refused = match kind {
        0 => board::check_message(&text).err(),
        1 => match board::check_import(&text) {
            Ok(words) => {
                let sendable = |word: &String| word.bytes().all(|byte| byte.is_ascii_graphic());
                assert!(words.iter().all(sendable), "{words:?}");
                None
            }
            Err(error) => Some(format!("{error:#}")),
        },
        2 => board::check_saved(&text).err().map(|error| format!("{error:#}")),
        _ => board::check_saved(&with_checksum(&text)).err().map(|error| format!("{error:#}")),
    };
    assert!(refused != Some(String::new()), "refused without a reason");
}

/// A file whose second line is the text with the checksum that fits: what a checksum keeps away.
fn with_checksum(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end_matches('}');
    let check = crc32fast::hash(line.as_bytes());
    format!("{{}}\n{line},\"check\":\"{check:08x}\"}}\n")
}
