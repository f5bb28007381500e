//! The JSON of `table`, `board` and `step`, as a client reads it from any engine: what is read is
//! written as the same, and a board is drawn whatever it names.

use parlor::picture::{Board, Options, Step, Table, draw};

/// The first byte is the kind; a drawing needs a table and a board, a line each.
pub fn run(data: &[u8]) {
    let Some((kind, bytes)) = super::choose(data, 3) else { return };
    match kind {
        0 => {
            if let Ok(step) = serde_json::from_slice::<Step>(bytes) {
                let text = serde_json::to_string(&step).expect("a step");
                let again: Step = serde_json::from_str(&text).expect("its own text");
                assert!(again == step, "{text}");
            }
        }
        _ => {
            let mut lines = bytes.split(|byte| *byte == b'\n');
            let table = serde_json::from_slice::<Table>(lines.next().unwrap_or_default());
            let board = serde_json::from_slice::<Board>(lines.next().unwrap_or_default());
            let (Ok(table), Ok(board)) = (table, board) else { return };
            let svg = draw(&table, &board, &Options::default());
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        }
    }
}
