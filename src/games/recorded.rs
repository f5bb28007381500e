//! Files of recorded games: text, packed by zstd or not.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// What a zstd file begins with.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The text of a file.
pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes =
        fs::read(path).with_context(|| format!("cannot read the games of {}", path.display()))?;
    unpacked(bytes).with_context(|| path.display().to_string())
}

/// The text in the bytes of a file.
pub(super) fn unpacked(bytes: Vec<u8>) -> anyhow::Result<String> {
    let bytes = if bytes.starts_with(&MAGIC) { zstd::decode_all(&bytes[..])? } else { bytes };
    Ok(String::from_utf8(bytes)?)
}
