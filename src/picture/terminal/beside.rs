//! What stands beside a board or below it: whose turn it is, the throw, the numbers of the seats,
//! what is marked, notes, the legend, cards.

use anstyle::Style;

use super::canvas::Canvas;
use super::paint::STRONG;
use super::{Scene, StyledLine, cards, track, wrap};
use crate::picture::{Dice, Panel};

/// The least room beside a board; with less everything stands below it.
const NARROWEST: usize = 22;
/// Blanks between a board and what stands beside it.
const GAP: usize = 3;

/// The board, and the rest to its right.
pub(super) fn join(scene: &Scene, canvas: Canvas) -> Vec<StyledLine> {
    let left = canvas.width() + GAP;
    let width = scene.options.width.saturating_sub(left);
    if width < NARROWEST {
        let mut lines = canvas.lines();
        lines.extend(column(scene, scene.options.width, usize::MAX));
        return lines;
    }
    let mut lines = canvas.lines();
    let room = scene.options.height.max(lines.len());
    let column = column(scene, width, room);
    lines.resize(lines.len().max(column.len().min(room)), StyledLine::default());
    for (line, beside) in lines.iter_mut().zip(&column) {
        line.pad(left);
        line.append(beside);
    }
    lines
}

/// No board: the track, the numbers, the cards and the text in full width.
pub(super) fn stack(scene: &Scene) -> Vec<StyledLine> {
    let width = scene.options.width;
    let mut lines = note(scene, width);
    if lines.is_empty() {
        lines.push(status(scene));
    }
    lines.extend(track::draw(scene).lines());
    lines.extend(panel_table(scene));
    lines.extend(dice(scene));
    let room = scene.options.height.saturating_sub(lines.len());
    // The legend gives way to what is known of the cards.
    let legend = entries(&track::legend(scene), width);
    if scene.options.legend && legend.len() + cards::draw(scene, usize::MAX).len() <= room {
        lines.extend(legend);
    }
    let room = scene.options.height.saturating_sub(lines.len());
    lines.extend(cards::draw(scene, room));
    let text = scene.board.text.as_deref().unwrap_or("");
    lines.extend(text.lines().map(|line| StyledLine::new(Style::new(), line)));
    lines
}

/// Everything but the board, a narrow column of at most `room` lines; the legend gives way first.
fn column(scene: &Scene, width: usize, room: usize) -> Vec<StyledLine> {
    let mut lines = vec![status(scene)];
    lines.extend(dice(scene));
    for panel in &scene.board.panel {
        lines.extend(panel_lines(scene, panel, width));
    }
    lines.extend(marks(scene, width));
    lines.extend(note(scene, width));
    if let Some(last) = scene.board.last.as_ref().filter(|last| !last.path.is_empty()) {
        let text = format!("Last move: {}", last.path.join(" "));
        lines
            .extend(wrap(&text, width).into_iter().map(|text| StyledLine::new(Style::new(), text)));
    }
    lines.extend(cards::draw(scene, room.saturating_sub(lines.len())));
    if scene.options.legend {
        let legend = entries(&scene.legend(), width);
        let left = room.saturating_sub(lines.len());
        if left > 1 {
            lines.push(StyledLine::default());
            lines.extend(legend.into_iter().take(left - 1));
        }
    }
    lines.truncate(room);
    lines
}

/// Entries of a legend, several in a line where they fit.
fn entries(entries: &[String], width: usize) -> Vec<StyledLine> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.chars().count() + entry.chars().count() + 3 <= width => {
                line.push_str("   ");
                line.push_str(entry);
            }
            _ => lines.extend(wrap(entry, width)),
        }
    }
    lines.into_iter().map(|text| StyledLine::new(Style::new().dimmed(), text)).collect()
}

/// Whose turn it is.
fn status(scene: &Scene) -> StyledLine {
    StyledLine::new(STRONG, scene.board.status(|seat| scene.seat_name(seat)))
}

fn note(scene: &Scene, width: usize) -> Vec<StyledLine> {
    let note = scene.board.note.as_deref().unwrap_or("");
    note.lines()
        .flat_map(|line| wrap(&scene.named(line), width))
        .map(|text| StyledLine::new(Style::new(), text))
        .collect()
}

/// The throw of a turn, and what of it is still to be played.
fn dice(scene: &Scene) -> Option<StyledLine> {
    let Dice { values, left, .. } = scene.board.dice.as_ref()?;
    let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let mut line = StyledLine::new(STRONG, format!("Thrown: {}", list(values)));
    if left != values {
        line.push(Style::new(), &format!(" (left: {})", list(left)));
    }
    Some(line)
}

fn number(seat: &str) -> u8 {
    seat.trim_start_matches('p').parse().unwrap_or(0)
}

/// An item as text: `3 of 42`, `closed`.
fn value(item: &crate::picture::Item) -> String {
    let value = match &item.value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    item.of.map_or(value.clone(), |of| format!("{value} of {of}"))
}

/// The numbers of a seat below its name.
fn panel_lines(scene: &Scene, panel: &Panel, width: usize) -> Vec<StyledLine> {
    let name = scene.seat_name(&panel.seat);
    let mut lines =
        vec![StyledLine::new(scene.seat_style(number(&panel.seat)), format!(" {name} "))];
    let items: Vec<String> =
        panel.items.iter().map(|item| format!("{} {}", item.name, value(item))).collect();
    let text = items.join(", ");
    for line in wrap(&text, width.saturating_sub(2)) {
        lines.push(StyledLine::new(Style::new(), format!("  {line}")));
    }
    lines
}

/// The numbers of all seats in columns, where the names of the numbers agree.
fn panel_table(scene: &Scene) -> Vec<StyledLine> {
    let panels = &scene.board.panel;
    let Some(first) = panels.first() else { return Vec::new() };
    let names =
        |panel: &Panel| panel.items.iter().map(|item| item.name.clone()).collect::<Vec<_>>();
    if panels.iter().any(|panel| names(panel) != names(first)) {
        return panels
            .iter()
            .flat_map(|panel| panel_lines(scene, panel, scene.options.width))
            .collect();
    }
    let longest = panels.iter().map(|panel| scene.seat_name(&panel.seat).chars().count()).max();
    let column = longest.unwrap_or(0) + 3;
    let mut lines = Vec::new();
    for panel in panels {
        let name = format!(" {} ", scene.seat_name(&panel.seat));
        let mut line = StyledLine::new(scene.seat_style(number(&panel.seat)), name);
        line.pad(column);
        for item in &panel.items {
            line.push(Style::new(), &format!("{} ", item.name));
            line.push(STRONG, &format!("{:<9}", value(item)));
        }
        let own = scene.board.cards.iter().filter(|card| card.seat == panel.seat);
        let ids: Vec<&str> = own.map(|card| card.id.as_str()).collect();
        line.push(Style::new().dimmed(), &ids.join(" "));
        lines.push(line);
    }
    lines
}

/// Marks of nobody in words: `afraid: a3 b4`.
fn marks(scene: &Scene, width: usize) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for (name, kind) in &scene.table.kinds {
        let marked = scene.board.marks.iter().filter(|mark| mark.seat == 0 && mark.kind == *name);
        let cells: Vec<&str> = marked.map(|mark| mark.cell.as_str()).collect();
        if !cells.is_empty() {
            let text = format!("{}: {}", kind.label, cells.join(" "));
            let style = scene.ink("alert");
            lines.extend(wrap(&text, width).into_iter().map(|text| StyledLine::new(style, text)));
        }
    }
    lines
}

impl Scene<'_> {
    /// A sentence in which seats are called by their names instead of `p1`.
    fn named(&self, text: &str) -> String {
        super::named(self.table, text)
    }
}
