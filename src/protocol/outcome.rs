//! How a game ended.

/// The answer to `query result`, for runners that know two seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// The first seat alone is first.
    P1Win,
    /// The first seat is not first.
    P2Win,
    /// The first seat shares the first place.
    Draw,
}

impl GameResult {
    const ALL: [GameResult; 3] = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw];

    /// The result of a game that ended with these places, 1 being the best.
    #[must_use]
    pub fn of<T: Copy + Into<u32>>(places: &[T]) -> Self {
        let is_first = |place: &T| (*place).into() == 1;
        match (places.first().is_some_and(is_first), places.iter().filter(|p| is_first(p)).count())
        {
            (true, 1) => GameResult::P1Win,
            (true, _) => GameResult::Draw,
            (false, _) => GameResult::P2Win,
        }
    }

    /// Reads `p1win`, `p2win` or `draw`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.name() == text)
    }

    /// Reads `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub fn read_score(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.score() == text)
    }

    /// As the protocol writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GameResult::P1Win => "p1win",
            GameResult::P2Win => "p2win",
            GameResult::Draw => "draw",
        }
    }

    /// As PGN and XBoard write it.
    #[must_use]
    pub fn score(self) -> &'static str {
        match self {
            GameResult::P1Win => "1-0",
            GameResult::P2Win => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The places of a game of two.
    #[must_use]
    pub fn places(self) -> Vec<u32> {
        match self {
            GameResult::P1Win => vec![1, 2],
            GameResult::P2Win => vec![2, 1],
            GameResult::Draw => vec![1, 1],
        }
    }
}

/// How a game ended: what its referee says, or what follows from a fault or a resignation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The answer to `query result`.
    pub result: String,
    /// The place of each seat, from 1; tied seats share the better place.
    pub places: Vec<u32>,
    /// Why the game is over.
    pub reason: String,
    /// The score of every seat, in games with points.
    pub points: Option<String>,
}

impl Outcome {
    /// Reads the answers to `query result`, `outcome`, `points` and `reason`, the last three from
    /// referees that know them. `None` if they give no place to every seat.
    #[must_use]
    pub fn read(result: &str, about: [Option<&str>; 3], seats: usize) -> Option<Self> {
        let [outcome, points, reason] = about.map(|text| text.filter(|text| *text != "none"));
        let of_result = || GameResult::read(result).filter(|_| seats == 2).map(GameResult::places);
        let places = match outcome.and_then(|text| text.strip_prefix("rank ")) {
            Some(ranks) => places(ranks, seats),
            None => of_result(),
        };
        Some(Outcome {
            result: result.to_owned(),
            places: places?,
            reason: reason.unwrap_or("rules").to_owned(),
            points: points.map(str::to_owned),
        })
    }

    /// The result that follows from places.
    #[must_use]
    pub fn of_places(places: Vec<u32>, reason: &str) -> Self {
        let result = GameResult::of(&places).name().to_owned();
        Outcome { result, places, reason: reason.to_owned(), points: None }
    }

    /// One seat has lost, all others share the first place.
    #[must_use]
    pub fn loss(loser: usize, seats: usize, reason: &str) -> Self {
        let last = u32::try_from(seats).unwrap_or(u32::MAX);
        let places = (0..seats).map(|seat| if seat == loser { last } else { 1 });
        Self::of_places(places.collect(), reason)
    }
}

/// Reads the places that follow `rank`: one for every seat, and a first among them.
#[must_use]
pub fn places(ranks: &str, seats: usize) -> Option<Vec<u32>> {
    let places: Option<Vec<u32>> = ranks.split_whitespace().map(|word| word.parse().ok()).collect();
    places.filter(|places| places.len() == seats && places.contains(&1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_that_of_the_first_seat() {
        for (places, result) in [
            (&[1, 2][..], GameResult::P1Win),
            (&[2, 1], GameResult::P2Win),
            (&[1, 1], GameResult::Draw),
            (&[1, 1, 3], GameResult::Draw),
            (&[3, 1, 1], GameResult::P2Win),
            (&[2, 2, 2, 1], GameResult::P2Win),
            (&[1, 2, 2, 2], GameResult::P1Win),
        ] {
            assert_eq!(GameResult::of::<u32>(places), result, "{places:?}");
        }
        for result in GameResult::ALL {
            assert_eq!(GameResult::read(result.name()), Some(result));
            assert_eq!(GameResult::read_score(result.score()), Some(result));
            assert_eq!(GameResult::of(&result.places()), result);
        }
    }

    #[test]
    fn places_come_from_the_outcome_or_in_games_of_two_from_the_result() {
        let read = |result: &str, outcome: Option<&str>, seats| {
            Outcome::read(result, [outcome, Some("none"), None], seats).map(|o| o.places)
        };
        assert_eq!(read("p2win", Some("rank 3 1 1"), 3), Some(vec![3, 1, 1]));
        assert_eq!(read("p2win", None, 2), Some(vec![2, 1]));
        assert_eq!(read("draw", Some("none"), 2), Some(vec![1, 1]));
        assert_eq!(read("p2win", None, 3), None, "no place for every seat");
        for bad in ["rank 1 2 3", "rank 2 3", "rank 1 x", "rank "] {
            assert_eq!(read("p1win", Some(bad), 2), None, "{bad}");
        }
        let whole = Outcome::read("p1win", [None, Some("3 1"), Some("points")], 2).unwrap();
        assert_eq!((whole.points.as_deref(), whole.reason.as_str()), (Some("3 1"), "points"));
    }

    #[test]
    fn who_loses_is_last_alone() {
        let outcome = Outcome::loss(0, 4, "resign");
        assert_eq!((outcome.places, outcome.result.as_str()), (vec![4, 1, 1, 1], "p2win"));
        assert_eq!(Outcome::loss(2, 4, "resign").result, "draw");
    }
}
