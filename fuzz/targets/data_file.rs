//! Files of data: weights, knowledge, solved endings, networks, records of matches.
//! What is damaged is refused; nothing panics.

use parlor::games::barbarossa::knowledge::pack;
use parlor::games::barca::Network;
use parlor::games::porrika::solved::Tablebase;
use parlor::runner::record::{Header, Record};
use parlor::search::weight_file;

/// The first byte is the kind of file.
pub fn run(data: &[u8]) {
    let Some((kind, bytes)) = super::choose(data, 5) else { return };
    match kind {
        0 => {
            if let Ok(payload) = weight_file::unpack(bytes, "test") {
                assert_eq!(weight_file::pack("test", payload), bytes);
            }
        }
        1 => {
            let _ = pack::unpack(bytes);
        }
        2 => {
            let _ = Tablebase::from_bytes(bytes).and_then(|table| table.check());
            // What the checksum of the header does not keep away.
            let blocks = bytes.get(34..42).and_then(|count| count.try_into().ok());
            let header = u64::from_le_bytes(blocks.unwrap_or_default()).min(100) as usize * 8 + 42;
            let (header, rest) = bytes.split_at(header.min(bytes.len()));
            let sealed = [header, blake3::hash(header).as_bytes(), rest].concat();
            let _ = Tablebase::from_bytes(&sealed).and_then(|table| table.check());
        }
        3 => {
            let _ = Network::from_bytes(bytes);
        }
        _ => {
            let _ = serde_json::from_slice::<Header>(bytes);
            if let Ok(record) = serde_json::from_slice::<Record>(bytes) {
                let text = serde_json::to_string(&record).expect("a record");
                let again: Record = serde_json::from_str(&text).expect("its own text");
                assert!(again == record, "{text}");
            }
        }
    }
}
