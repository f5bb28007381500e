//! How many inputs the tests of arbitrary text try.

use proptest::prelude::ProptestConfig;

/// A number of cases; the environment variable `PROPTEST_CASES` asks for another. Failures are
/// printed, not stored.
pub fn cases(number: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(wanted.unwrap_or(number))
    }
}
