//! What a question asks for: which of its answers follow from which cells of the table.

use super::{Answer, PredicateId};

/// How the answers to a wording follow from the answers of its predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Follows {
    /// All are the same: the wording asks for the predicate.
    All,
    /// All turned round: is it cheap, of what is expensive.
    Opposite,
    /// Only the yes: the wording fits more things. Does it have feathers, of a bird.
    Yes,
    /// Only the no: the wording fits fewer things. Is it used at a wedding, of celebrations.
    No,
    /// Only a no, where the predicate is true: is it silent, of what makes a noise.
    NoIfYes,
    /// Only a yes, where the predicate is false.
    YesIfNo,
    /// Nothing, where the predicate is true or possible: does it breathe, of what is imaginary.
    Unless,
}

use Answer::{DontKnow, No, Possibly, Yes};

impl Follows {
    /// All, with their names in the sources.
    pub(super) const NAMES: [(&'static str, Follows); 7] = [
        ("is", Follows::All),
        ("opposite", Follows::Opposite),
        ("yes", Follows::Yes),
        ("no", Follows::No),
        ("no if yes", Follows::NoIfYes),
        ("yes if no", Follows::YesIfNo),
        ("unless", Follows::Unless),
    ];

    /// Reads a name of the sources.
    pub(super) fn parse(name: &str) -> Option<Follows> {
        Follows::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, follows)| follows)
    }

    /// Takes the longest name of the sources off a text.
    pub(super) fn split(text: &str) -> Option<(Follows, &str)> {
        let named = |(name, follows)| {
            let rest: &str = text.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(' ')).then_some((follows, rest))
        };
        Follows::NAMES.into_iter().filter_map(named).min_by_key(|(_, rest)| rest.len())
    }

    /// Its name in the sources.
    #[must_use]
    pub fn name(self) -> &'static str {
        Follows::NAMES.into_iter().find(|(_, it)| *it == self).map_or("", |(name, _)| name)
    }

    /// Answers of the predicate, each with the answer to the wording that follows from it.
    const fn conclusions(self) -> &'static [(Answer, Answer)] {
        match self {
            Follows::All => &[(Yes, Yes), (No, No), (Possibly, Possibly)],
            Follows::Opposite => &[(Yes, No), (No, Yes), (Possibly, Possibly)],
            Follows::Yes => &[(Yes, Yes), (Possibly, Possibly)],
            Follows::No => &[(No, No)],
            Follows::NoIfYes => &[(Yes, No)],
            Follows::YesIfNo => &[(No, Yes)],
            Follows::Unless => &[(Yes, DontKnow), (Possibly, DontKnow)],
        }
    }
}

/// An answer that follows from an answer of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Conclusion {
    predicate: PredicateId,
    cell: Answer,
    answer: Answer,
}

/// How two questions are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Joint {
    /// Is it red or blue.
    Either,
    /// Is it small and round.
    Both,
}

impl Joint {
    /// The answer that decides alone, and the one that both must have.
    const fn decides(self) -> (Answer, Answer) {
        match self {
            Joint::Either => (Yes, No),
            Joint::Both => (No, Yes),
        }
    }

    fn answer(self, answers: [Answer; 2]) -> Answer {
        let (alone, shared) = self.decides();
        match answers {
            _ if answers.contains(&alone) => alone,
            _ if answers == [shared; 2] => shared,
            _ if answers.contains(&DontKnow) => DontKnow,
            _ => Possibly,
        }
    }
}

/// What a question asks for. Does it breathe: yes of an animal, no of what is not alive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Asked {
    /// The first predicate of the question.
    first: PredicateId,
    /// In what way all of it depends on the first predicate, if on no other.
    follows: Option<Follows>,
    conclusions: Vec<Conclusion>,
    /// Another question that is asked with it.
    other: Option<(Joint, Box<Asked>)>,
}

impl Asked {
    /// A question for a predicate and nothing else.
    #[must_use]
    pub fn whole(predicate: PredicateId) -> Asked {
        Asked::of(predicate, Follows::All)
    }

    pub(super) fn of(predicate: PredicateId, follows: Follows) -> Asked {
        let conclusions = follows.conclusions().iter();
        let conclusions =
            conclusions.map(|&(cell, answer)| Conclusion { predicate, cell, answer }).collect();
        Asked { first: predicate, follows: Some(follows), conclusions, other: None }
    }

    /// This question and another one in one.
    pub(super) fn with(mut self, joint: Joint, other: Asked) -> Asked {
        self.follows = None;
        self.other = Some((joint, Box::new(other)));
        self
    }

    /// The first predicate that it depends on.
    #[must_use]
    pub fn first(&self) -> PredicateId {
        self.first
    }

    /// All predicates that it depends on.
    #[must_use]
    pub fn predicates(&self) -> Vec<PredicateId> {
        let mut found = vec![self.first];
        found.extend(self.conclusions.iter().map(|it| it.predicate));
        found.extend(self.other.iter().flat_map(|(_, other)| other.predicates()));
        found.sort();
        found.dedup();
        found
    }

    /// The one predicate that it is about: from which its yes follows, or else its no. `None` if they
    /// follow from several, or if nothing is known but what it is not.
    #[must_use]
    pub fn about(&self) -> Option<PredicateId> {
        if let Some(Follows::All | Follows::Opposite | Follows::Yes | Follows::No) = self.follows {
            return Some(self.first);
        }
        if self.other.is_some() {
            return None;
        }
        let direct = |answer| {
            let mut found: Vec<PredicateId> = self
                .conclusions
                .iter()
                .filter(|it| it.cell == answer && it.answer == answer)
                .map(|it| it.predicate)
                .collect();
            found.dedup();
            found
        };
        let turned = |predicate| {
            let has =
                |cell, answer| self.conclusions.contains(&Conclusion { predicate, cell, answer });
            has(Yes, No) && has(No, Yes)
        };
        match (&direct(Yes)[..], &direct(No)[..]) {
            ([only], _) | ([], [only]) => Some(*only),
            ([], []) => Some(self.first).filter(|predicate| turned(*predicate)),
            _ => None,
        }
    }

    /// The predicates from which an answer follows.
    #[must_use]
    pub fn causes(&self, answer: Answer) -> Vec<PredicateId> {
        let causes = self.conclusions.iter().filter(|it| it.answer == answer);
        let others = self.other.iter().flat_map(|(_, other)| other.causes(answer));
        causes.map(|it| it.predicate).chain(others).collect()
    }

    /// In what way it depends on the first predicate, if on no other.
    #[must_use]
    pub fn follows(&self) -> Option<Follows> {
        self.follows
    }

    /// The predicate that it asks for, if for that and nothing else.
    #[must_use]
    pub fn predicate(&self) -> Option<PredicateId> {
        (self.follows == Some(Follows::All)).then_some(self.first)
    }

    /// Whether an answer may follow.
    #[must_use]
    pub fn may_be(&self, answer: Answer) -> bool {
        let own = self.conclusions.iter().any(|it| it.answer == answer);
        match &self.other {
            None => own,
            Some((joint, other)) if joint.decides().1 == answer => own && other.may_be(answer),
            Some((_, other)) => own || other.may_be(answer),
        }
    }

    /// The answer, from the answers that the predicates have. Two that contradict each other are none.
    #[must_use]
    pub fn answer(&self, mut cell: impl FnMut(PredicateId) -> Answer) -> Answer {
        let own = self.answer_alone(&mut cell);
        match &self.other {
            None => own,
            Some((joint, other)) => joint.answer([own, other.answer_alone(&mut cell)]),
        }
    }

    /// The answer without the other question.
    fn answer_alone(&self, cell: &mut dyn FnMut(PredicateId) -> Answer) -> Answer {
        let mut found = [false; 4];
        for it in &self.conclusions {
            if cell(it.predicate) == it.cell {
                found[it.answer as usize] = true;
            }
        }
        let found = |answer: Answer| found[answer as usize];
        match (found(Yes), found(No)) {
            _ if found(DontKnow) => DontKnow,
            (true, false) => Yes,
            (false, true) => No,
            (false, false) if found(Possibly) => Possibly,
            _ => DontKnow,
        }
    }

    /// What an answer says: that a predicate has an answer. Nothing if it may follow from several.
    #[must_use]
    pub fn evidence(&self, answer: Answer) -> Option<(PredicateId, Answer)> {
        if let Some(predicate) = self.predicate() {
            return Some((predicate, answer));
        }
        if self.other.is_some() {
            return None;
        }
        let mut causes = self.conclusions.iter().filter(|it| it.answer == answer);
        match (causes.next(), causes.next()) {
            (Some(cause), None) => Some((cause.predicate, cause.cell)),
            _ => None,
        }
    }

    /// The same question without its `possibly`.
    pub(super) fn decided(mut self) -> Asked {
        self.conclusions.retain(|it| it.answer != Possibly);
        self
    }

    /// The same question where some conclusions are not certain. What contradicts them is not, either.
    fn without(&self, is_uncertain: impl Fn(&Conclusion) -> bool) -> Asked {
        let mut made = self.clone();
        if self.follows.is_some() {
            made.conclusions.retain(|it| !is_uncertain(it));
        }
        for it in made.conclusions.iter_mut().filter(|it| is_uncertain(it)) {
            it.answer = DontKnow;
        }
        made
    }

    /// The same question if only its yes is certain; `None` if a yes never is.
    pub(super) fn only_yes(&self) -> Option<Asked> {
        let mut made = self.without(|it| it.answer == No);
        made.follows = match self.follows {
            Some(Follows::All) => Some(Follows::Yes),
            Some(follows @ (Follows::Yes | Follows::YesIfNo)) => Some(follows),
            _ => None,
        };
        made.may_be(Yes).then_some(made)
    }

    /// The same question if it asks for what can be done: what does not follow is that it cannot, but
    /// from what the thing is. `None` if nothing is left.
    pub(super) fn as_possible(&self) -> Option<Asked> {
        if self.follows.is_some() {
            return self.only_yes();
        }
        let made = self.without(|it| it.answer == No && it.cell != Yes);
        (made.may_be(Yes) || made.may_be(No)).then_some(made)
    }

    /// The same question if only its no is certain; `None` if a no never is.
    pub(super) fn only_no(&self) -> Option<Asked> {
        let mut made = self.without(|it| matches!(it.answer, Yes | Possibly));
        made.follows = match self.follows {
            Some(Follows::All) => Some(Follows::No),
            Some(Follows::Opposite) => Some(Follows::NoIfYes),
            Some(follows @ (Follows::No | Follows::NoIfYes)) => Some(follows),
            _ => None,
        };
        made.may_be(No).then_some(made)
    }

    /// The same with each of these.
    pub(super) fn join_all(&mut self, others: impl IntoIterator<Item = Asked>) {
        others.into_iter().for_each(|other| self.join(&other));
    }

    /// The question of which answers follow from this one and from another one.
    pub(super) fn join(&mut self, other: &Asked) {
        let is_new = |it: &&Conclusion| !self.conclusions.contains(it);
        let new: Vec<Conclusion> = other.conclusions.iter().filter(is_new).copied().collect();
        if !new.is_empty() {
            self.conclusions.extend(new);
            self.follows = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One yes of two is enough for either, and one no for both; what is left open stays open.
    #[test]
    fn two_questions_in_one_have_the_answers_of_both() {
        for (answers, either, both) in [
            ([Yes, Yes], Yes, Yes),
            ([Yes, No], Yes, No),
            ([Yes, Possibly], Yes, Possibly),
            ([Yes, DontKnow], Yes, DontKnow),
            ([No, No], No, No),
            ([No, Possibly], Possibly, No),
            ([No, DontKnow], DontKnow, No),
            ([Possibly, Possibly], Possibly, Possibly),
            ([Possibly, DontKnow], DontKnow, DontKnow),
            ([DontKnow, DontKnow], DontKnow, DontKnow),
        ] {
            for answers in [answers, [answers[1], answers[0]]] {
                let [one, other] = [0, 1].map(|id| Asked::whole(PredicateId(id)));
                let given = |joint| {
                    let asked = one.clone().with(joint, other.clone());
                    asked.answer(|it| answers[usize::from(it.0)])
                };
                assert_eq!(given(Joint::Either), either, "{answers:?}");
                assert_eq!(given(Joint::Both), both, "{answers:?}");
            }
        }
    }

    #[test]
    fn what_may_be_answered_to_two_questions_is_what_both_allow() {
        let yes = Asked::of(PredicateId(0), Follows::Yes);
        let whole = Asked::whole(PredicateId(1));
        let either = yes.clone().with(Joint::Either, whole.clone());
        let both = yes.with(Joint::Both, whole);
        assert_eq!([Yes, No].map(|it| either.may_be(it)), [true, false]);
        assert_eq!([Yes, No].map(|it| both.may_be(it)), [true, true]);
        assert_eq!(both.predicates(), [PredicateId(0), PredicateId(1)]);
        assert_eq!(both.causes(No), [PredicateId(1)]);
        assert_eq!((both.about(), both.evidence(Yes)), (None, None));
    }
}
