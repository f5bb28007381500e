//! What each phase is about, for those who play for the first time.

use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::position::Position;

/// What the present phase is about.
pub(super) fn text(position: &Position) -> Option<&'static str> {
    Some(match position.awaited() {
        Awaited::Word(_) => {
            "Everybody chooses secret words and models them in clay. Words that are guessed early, or \
             never, cost their maker points: choose one that is neither easy nor hopeless."
        }
        Awaited::Show(_) => {
            "Now the object takes shape: choose one to eight features of your word, one at a time, \
             in the order of the list. Everybody sees them. Then say done."
        }
        Awaited::Window(_) => {
            "A curse token buys a letter of an object, or a guess, even in the turn of somebody else. \
             You have three; who passes keeps them."
        }
        Awaited::Move(_) => {
            "Your turn. Roll the die, or pay jewels and go one space for each. An Elf gives you a \
             letter; on ? you ask and then guess; Stairs give a jewel; Dragon and Ghosts give points \
             to all others."
        }
        Awaited::Letter(_) => {
            "You are on an Elf: name an object, and its maker gives you one of its letters in secret."
        }
        Awaited::Gift { .. } => {
            "Somebody has asked for a letter of your object: choose which letter of the word to give. \
             Only the two of you see it."
        }
        Awaited::Questions(_) => {
            "You are on ?: ask about the objects of others until an answer is no. Everybody hears the \
             answers. After that you may guess."
        }
        Awaited::Answer(..) => "Answer truthfully; everybody hears it.",
        Awaited::SecondRound(_) => {
            "Now you may guess one object. The first right guess scores 5 points, the second 3; a \
             wrong one costs nothing, and only the maker hears it."
        }
        _ => return None,
    })
}
