//! The arguments of the subcommands that draw.

use clap::Args;

use super::{Options, Theme};

/// How a position is drawn.
#[derive(Args, Clone, Debug)]
pub(crate) struct DrawingArguments {
    /// Colours
    #[arg(long, default_value = "light", value_parser = ["light", "dark"])]
    theme: String,
    /// Pixels a square [default: what makes a board of about 640 pixels]
    #[arg(long, value_parser = parse_scale)]
    scale: Option<f64>,
    /// Leave out the coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Turn the board for this seat, p1 to p6
    #[arg(long, value_name = "SEAT", value_parser = parse_seat)]
    seat: Option<usize>,
    /// Draw this legal move as an arrow
    #[arg(long, value_name = "MOVE")]
    pub(crate) arrow: Option<String>,
}

impl DrawingArguments {
    /// The options of the drawing, without the arrow.
    pub(crate) fn options(&self) -> Options {
        Options {
            theme: if self.theme == "dark" { Theme::Dark } else { Theme::Light },
            scale: self.scale,
            labels: !self.no_coordinates,
            seat: self.seat.unwrap_or(0),
            ..Options::default()
        }
    }
}

/// Reads a number of pixels.
fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| (4.0..=400.0).contains(scale));
    scale.ok_or_else(|| "a number of pixels from 4 to 400".into())
}

fn parse_seat(text: &str) -> Result<usize, String> {
    let number = text.strip_prefix('p').and_then(|digits| digits.parse().ok());
    number.filter(|seat| (1..=6).contains(seat)).ok_or_else(|| "a seat p1 to p6".into())
}
