//! Damaged files of weights are refused. The tables of solvers are tested with
//! the solvers.

use parlor::search::weight_file::{WeightFileError, pack, unpack};

use crate::damaged;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

/// What a container says that it holds.
fn description(bytes: &[u8]) -> String {
    match unpack(bytes, "") {
        Err(WeightFileError::Purpose { found, .. }) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn damaged_weights_are_refused() {
    let mut files = 0;
    for entry in std::fs::read_dir(DATA).expect("data") {
        let path = entry.expect("an entry").path();
        if !path.extension().is_some_and(|ending| ending == "weights" || ending == "network") {
            continue;
        }
        files += 1;
        let good = std::fs::read(&path).expect("readable");
        let description = description(&good);
        let payload = unpack(&good, &description).expect("whole").to_vec();
        assert_eq!(pack(&description, &payload), good);
        damaged::each(&good, damaged::copies(60), |what, bytes| {
            assert!(unpack(bytes, &description).is_err(), "{}: {what}", path.display());
        });
    }
    assert!(files >= 3, "{files} files");
}

#[test]
fn weights_of_another_version_or_purpose_are_refused_though_they_are_whole() {
    let good = pack("tic-tac-toe, 9 weights", &[7; 18]);
    for version in [0, 2, 3, u32::MAX] {
        let mut other = good[..good.len() - 32].to_vec();
        other[8..12].copy_from_slice(&version.to_le_bytes());
        let checksum = blake3::hash(&other);
        other.extend_from_slice(checksum.as_bytes());
        let error = unpack(&other, "tic-tac-toe, 9 weights");
        assert_eq!(error, Err(WeightFileError::Version(version)));
    }
    assert!(matches!(unpack(&good, "go, 9 weights"), Err(WeightFileError::Purpose { .. })));
}
