//! The positions of `bench`.

use crate::games::BenchPosition;

/// A table of three in the middle of a game, as p1 sees it.
macro_rules! table {
    ($phase:literal, $pawns:literal, $window:literal) => {
        concat!(
            "fen v=p1 n=3 ring=ESDQSDESGQSD goal=30 first=2 turn=1 phase=",
            $phase,
            " pawn=",
            $pawns,
            " score=8,5,9 jewels=7,9,4 curse=2,2,3 blob=- arrows= asked=0 pend=- win=",
            $window,
            " objects=a1|w=teapot|show=has_handle|qa=|letters=p2.a|wrong=;",
            "a2|w=kettle|show=has_spout|qa=|letters=|wrong=p3.teapot;",
            "a3|w=snail|show=is_spiral|qa=|letters=|wrong=;",
            "b1|w=?|show=is_round|qa=is_alive-n|letters=p1.b,p1.l|wrong=;",
            "b2|w=?|show=has_ears|qa=is_alive-y,is_furry-n|letters=|wrong=p3.?;",
            "b3|w=?|show=is_pointed|qa=|letters=p3.?|wrong=;",
            "c1|w=?|show=has_handle|qa=is_alive-n|letters=|wrong=p1.cup;",
            "c2|w=?|show=has_legs|qa=is_alive-n|letters=|wrong=;",
            "c3|w=?|show=is_flat|qa=|letters=|wrong=",
            " view p1"
        )
    };
}

/// The decisions of `bench`: a word, then for p1 a question, a move, a letter, a guess, and a
/// window.
pub(super) const POSITIONS: [BenchPosition; 6] = [
    BenchPosition { rules: "Words=free", position: "startpos", depth: 1 },
    BenchPosition { rules: "", position: table!("ask", "3,0,7", "-"), depth: 1 },
    BenchPosition { rules: "", position: table!("move", "2,0,7", "-"), depth: 1 },
    BenchPosition { rules: "", position: table!("letter", "0,0,7", "-"), depth: 1 },
    BenchPosition { rules: "", position: table!("round2", "3,0,7", "-"), depth: 1 },
    BenchPosition { rules: "", position: table!("start", "3,0,7", "1:0"), depth: 1 },
];
