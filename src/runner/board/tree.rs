//! The tree of a game: what was played, what was taken back, and variations.

use std::collections::BTreeMap;

use super::outgoing::{Arrival, Evaluation, Mark, Origin, TreeNode};
use crate::protocol::{PositionLine, Turn, seat_name};
use crate::runner::process::Clock;

/// One position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    pub(super) ply: usize,
    /// The token that led here; empty at the root.
    pub(super) token: String,
    /// The seat that decided or threw, from 0.
    pub(super) by: Option<usize>,
    /// Whether the token was thrown.
    pub(super) thrown: bool,
    pub(super) origin: Origin,
    pub(super) ms: Option<u64>,
    pub(super) value: Option<Evaluation>,
    /// What a review says of the token, and what would have been better.
    pub(super) mark: Option<Mark>,
    pub(super) best: Option<String>,
    /// Whose turn it is here, once it has been asked.
    pub(super) turn: Option<Turn>,
    /// The clocks when play came here; empty without clocks, and where nobody played.
    pub(super) clocks: Vec<Clock>,
    /// The token as each seat may see it, where there are secrets.
    masks: BTreeMap<usize, String>,
}

/// All positions; numbers are never given twice.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: BTreeMap<usize, Node>,
    next: usize,
}

/// The greatest number of positions of one game.
const MAX_NODES: usize = 20_000;

impl Tree {
    /// A tree of one position.
    pub(super) fn new() -> Self {
        let root = Node {
            parent: None,
            ply: 0,
            token: String::new(),
            by: None,
            thrown: false,
            origin: Origin::Record,
            ms: None,
            value: None,
            mark: None,
            best: None,
            turn: None,
            clocks: Vec::new(),
            masks: BTreeMap::new(),
        };
        Tree { nodes: BTreeMap::from([(0, root)]), next: 1 }
    }

    pub(super) fn get(&self, node: usize) -> Option<&Node> {
        self.nodes.get(&node)
    }

    pub(super) fn get_mut(&mut self, node: usize) -> Option<&mut Node> {
        self.nodes.get_mut(&node)
    }

    /// Whether another position may be added.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < MAX_NODES
    }

    /// The child that a token leads to, if it is there.
    pub(super) fn child(&self, node: usize, token: &str) -> Option<usize> {
        let leads = |(&number, child): (&usize, &Node)| {
            (child.parent == Some(node) && child.token == token).then_some(number)
        };
        self.nodes.range(node..).find_map(leads)
    }

    /// Adds a position after another one, or finds it.
    pub(super) fn add(
        &mut self,
        parent: usize,
        token: &str,
        by: Option<usize>,
        origin: Origin,
    ) -> usize {
        if let Some(child) = self.child(parent, token) {
            return child;
        }
        let ply = self.nodes.get(&parent).map_or(0, |node| node.ply) + 1;
        let node = Node {
            parent: Some(parent),
            ply,
            token: token.to_owned(),
            by,
            thrown: origin == Origin::Chance,
            origin,
            ms: None,
            value: None,
            mark: None,
            best: None,
            turn: None,
            clocks: Vec::new(),
            masks: BTreeMap::new(),
        };
        let number = self.next;
        self.next += 1;
        self.nodes.insert(number, node);
        number
    }

    /// The positions from the root to a node, the root left out.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let parent = |&number: &usize| self.nodes.get(&number).and_then(|node| node.parent);
        let mut path: Vec<usize> = std::iter::successors(Some(node), parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The tokens from the root to a node.
    pub(super) fn tokens(&self, node: usize) -> Vec<&str> {
        let token = |number: usize| self.nodes.get(&number).map(|node| node.token.as_str());
        self.path(node).into_iter().filter_map(token).collect()
    }

    /// The last position of the main line from here on: the first child each time.
    pub(super) fn main_line_end(&self, mut node: usize) -> usize {
        while let Some((&child, _)) =
            self.nodes.range(node..).find(|(_, child)| child.parent == Some(node))
        {
            node = child;
        }
        node
    }

    /// Notes how a seat's view names the tokens up to a node. The positions that are new to the
    /// seat. A view that is no list of the same length names nothing.
    pub(super) fn note_view(
        &mut self,
        node: usize,
        seat: usize,
        view: &PositionLine,
    ) -> Vec<usize> {
        let tokens: Vec<&str> = view.tokens().collect();
        let path = self.path(node);
        let mut fresh = Vec::new();
        if tokens.len() != path.len() {
            return fresh;
        }
        for (number, token) in path.into_iter().zip(tokens) {
            let Some(node) = self.nodes.get_mut(&number) else { continue };
            if node.masks.get(&seat).is_none_or(|old| old != token) {
                node.masks.insert(seat, token.to_owned());
                fresh.push(number);
            }
        }
        fresh
    }

    /// All positions, in the order of their numbers.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.nodes.keys().copied().collect()
    }

    /// One position as a page sees it; `view` is the seat whose view it gets, `None` for all.
    pub(super) fn shown(&self, number: usize, view: Option<usize>) -> Option<TreeNode> {
        let node = self.nodes.get(&number)?;
        let token = match view {
            None => Some(&node.token),
            Some(seat) => node.masks.get(&seat),
        };
        let arrival =
            Arrival { token: token.cloned(), by: node.by.map(seat_name), origin: node.origin };
        let shown = TreeNode {
            node: number,
            parent: node.parent,
            ply: node.ply,
            arrival: node.parent.map(|_| arrival),
            ms: node.ms,
            ..TreeNode::default()
        };
        // Values and reviews are made from the whole position.
        Some(match view {
            Some(_) => shown,
            None => TreeNode {
                value: node.value.clone(),
                mark: node.mark,
                best: node.best.clone(),
                ..shown
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::Score;

    use super::*;

    fn line(text: &str) -> PositionLine {
        PositionLine::read(text).unwrap()
    }

    #[test]
    fn a_tree_branches_and_finds_its_lines() {
        let mut tree = Tree::new();
        let a = tree.add(0, "a", Some(0), Origin::Here);
        let b = tree.add(a, "b", Some(1), Origin::Engine);
        let c = tree.add(a, "c", Some(1), Origin::Variation);
        assert_eq!(tree.add(a, "b", Some(1), Origin::Variation), b);
        assert_eq!(tree.tokens(c), ["a", "c"]);
        assert_eq!((tree.main_line_end(0), tree.main_line_end(c)), (b, c));
    }

    #[test]
    fn a_seat_sees_its_own_names_of_tokens() {
        let mut tree = Tree::new();
        let a = tree.add(0, "word:b1:teapot", Some(1), Origin::Here);
        let b = tree.add(a, "roll", Some(0), Origin::Here);
        let token = |tree: &Tree, view| tree.shown(a, view).unwrap().arrival.unwrap().token;
        assert_eq!(token(&tree, Some(0)), None);
        assert_eq!(tree.note_view(b, 0, &line("startpos view p1 moves word:b1:? roll")), [a, b]);
        assert!(tree.note_view(b, 0, &line("startpos view p1 moves word:b1:? roll")).is_empty());
        assert!(tree.note_view(b, 2, &line("fen x view p3")).is_empty());
        assert_eq!(token(&tree, Some(0)).unwrap(), "word:b1:?");
        assert_eq!(token(&tree, None).unwrap(), "word:b1:teapot");
        assert_eq!(token(&tree, Some(2)), None);
    }

    /// They are made from the whole position, the secrets of others included.
    #[test]
    fn a_seat_with_secrets_sees_no_value_and_no_review() {
        let mut tree = Tree::new();
        let node = tree.add(0, "roll", Some(0), Origin::Here);
        let known = tree.get_mut(node).unwrap();
        known.value =
            Some(Evaluation { shares: vec![600, 400], score: Some(Score::Centipawns(70)) });
        (known.mark, known.best) = (Some(Mark::Mistake), Some("jewels:1".into()));
        let members = ["shares", "score", "mark", "best"];
        let told = |view| {
            let value = serde_json::to_value(tree.shown(node, view).unwrap()).unwrap();
            members.map(|member| value.get(member).is_some())
        };
        assert_eq!(told(None), [true; 4]);
        assert_eq!(told(Some(0)), [false; 4]);
    }

    /// A random tree against a list of lines: every position is found again by the tokens that lead
    /// to it, numbers are given once, in order, and the main line is that of the first children.
    #[test]
    fn positions_are_their_tokens_from_the_root() {
        let mut random = crate::random::Random::new(2);
        let mut tree = Tree::new();
        let mut lines: Vec<Vec<&str>> = vec![Vec::new()];
        for _ in 0..300 {
            let parent = random.below(lines.len() as u64) as usize;
            let token = ["a", "b", "c"][random.below(3) as usize];
            let line = [&lines[parent][..], &[token]].concat();
            let known = lines.iter().position(|other| *other == line);
            assert_eq!(tree.child(parent, token), known);
            let origin = if token == "c" { Origin::Chance } else { Origin::Here };
            let number = tree.add(parent, token, Some(line.len() % 2), origin);
            assert_eq!(number, known.unwrap_or(lines.len()));
            if known.is_none() {
                lines.push(line);
            }
        }
        assert_eq!(tree.numbers(), (0..lines.len()).collect::<Vec<usize>>());
        for (number, line) in lines.iter().enumerate() {
            assert_eq!(tree.tokens(number), *line);
            let node = tree.get(number).unwrap();
            assert_eq!(node.ply, line.len());
            assert_eq!(node.thrown, line.last() == Some(&"c"));
            let path: Vec<usize> = (1..=line.len())
                .map(|plies| lines.iter().position(|other| other[..] == line[..plies]).unwrap())
                .collect();
            assert_eq!(tree.path(number), path);
            let shown = tree.shown(number, None).unwrap();
            assert_eq!((shown.node, shown.ply), (number, line.len()));
            let before = line.split_last().map(|(_, before)| before);
            let parent = before.map(|before| lines.iter().position(|l| l == before).unwrap());
            assert_eq!((node.parent, shown.parent), (parent, parent));
            assert_eq!(shown.arrival.is_none(), line.is_empty());
            let by = shown.arrival.and_then(|arrival| arrival.by);
            assert_eq!(by.as_deref(), (!line.is_empty()).then_some(["p1", "p2"][line.len() % 2]));
            // The first child is the one that was added first.
            let mut end = number;
            while let Some(child) = (0..lines.len()).find(|child| {
                lines[*child].split_last().is_some_and(|(_, before)| before == &lines[end][..])
            }) {
                end = child;
            }
            assert_eq!(tree.main_line_end(number), end);
        }
    }

    #[test]
    fn a_tree_has_room_for_so_many_positions() {
        let mut tree = Tree::new();
        let mut last = 0;
        for _ in 1..20_000 {
            assert!(tree.has_room(), "{last}");
            last = tree.add(last, "a", None, Origin::Here);
        }
        assert!(!tree.has_room());
    }
}
