// An engine that fails.

/** A module that says readyok to every line, and traps at one that begins with g. */
export const TRAPPING = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  // Types: (i32 i32) -> (), (i32) -> i32, () -> i32.
  1, 15, 3, 0x60, 2, 0x7f, 0x7f, 0, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f,
  // Import page.write.
  2, 14, 1, 4, ...bytes('page'), 5, ...bytes('write'), 0, 0,
  // room, start, act.
  3, 4, 3, 1, 2, 2,
  5, 3, 1, 0, 1,
  7, 31, 4, 6, ...bytes('memory'), 2, 0, 4, ...bytes('room'), 0, 1, 5, ...bytes('start'), 0, 2,
  3, ...bytes('act'), 0, 3,
  10, 37, 3,
  5, 0, 0x41, 0x80, 0x08, 0x0b,
  4, 0, 0x41, 1, 0x0b,
  24, 0, 0x41, 0x80, 0x08, 0x2d, 0, 0, 0x41, 0xe7, 0, 0x46, 0x04, 0x40, 0, 0x0b,
  0x41, 0, 0x41, 8, 0x10, 0, 0x41, 0, 0x0b,
  11, 14, 1, 0, 0x41, 0, 0x0b, 8, ...bytes('readyok\n'),
]);

function bytes(text) {
  return [...text].map((letter) => letter.charCodeAt(0));
}
