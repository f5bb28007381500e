/** A running engine. In a web page it is the Worker itself. */
export interface Engine {
  /** Takes a line of the protocol, such as `position startpos` or `go movetime 1000`. */
  postMessage(line: string): void;
  /** Called with each line of the engine, such as `bestmove e2e4`. */
  onmessage: ((event: { data: string }) => void) | null;
  /** Ends the engine at once; the line `quit` lets it answer first. */
  terminate(): void;
}

/** Starts the engine of TITLE. */
export function start(): Engine;
