// The types of what the server sends: `docs/board-messages.md`, and `docs/pictures.md` for the
// pictures. For the type check only.

type Point = [number, number];

interface TableCell { id: string; at: Point; shape: string; kind?: string; label?: string }
interface TableKind { label: string; fill?: string; mark?: string; symbol?: string }
interface TableSymbol { label: string; icon?: string; path?: string; letter?: string; turns?: boolean }
interface Table {
  v: number; title: string; size: Point; piece: number;
  cells: TableCell[]; shapes: Record<string, Point[]>;
  kinds?: Record<string, TableKind>;
  regions?: { id: string; label: string; cells: string[] }[];
  lines?: [number, number, number, number][];
  labels?: { at: Point; text: string }[];
  seats?: { seat: string; name: string; turn?: number; fill?: string; even?: number[] }[];
  symbols?: Record<string, TableSymbol>;
}

interface Piece { cell: string; symbol: string; seat?: number; turn?: number; count?: number; label?: string }
interface Mark { cell: string; kind: string; seat?: number }
interface PanelItem { name: string; value: number | string; of?: number }
interface Dice { of: string; values: number[]; left: number[] }
interface Card { id: string; seat: string; title: string; secret?: boolean; lines?: string[]; badges?: string[]; picture?: { path: string; fill?: string }[] }
interface Board {
  v: number; turn: string; pieces: Piece[]; marks?: Mark[];
  panel?: { seat: string; items: PanelItem[] }[];
  dice?: Dice; cards?: Card[]; decided?: string[]; last?: { path: string[]; told?: string }; note?: string; text?: string;
}

interface Next { choice: string; cell?: string; card?: string; label?: string; cost?: string; group?: string }
interface Form { label: string; kind: string; prefix?: string; pattern?: string; escape?: string; max?: number; complete?: boolean }
type Show =
  | { move: [string, string]; symbol: string; seat?: number; turn?: number; count?: number }
  | { add: string; symbol?: string; mark?: string; seat?: number; turn?: number }
  | { remove: string; symbol?: string; mark?: string; seat?: number }
  | { dice: number[] };
interface Step {
  v: number; path: string[]; token: string | null; text: string; help?: string; next: Next[];
  form?: Form; show?: Show[]; undo?: number; chance?: string | null; hidden?: boolean;
}

type Score = { cp: number } | { mate: number };
interface TreeNode {
  node: number; parent: number | null; ply: number; token?: string | null; by?: string | null;
  origin?: 'here' | 'link' | 'engine' | 'chance' | 'record' | 'opening' | 'variation';
  ms?: number; shares?: number[]; score?: Score | null; mark?: 'inaccuracy' | 'mistake' | 'blunder'; best?: string; loss?: number; line?: string[];
}
interface TreeMessage { type: 'tree'; game: string; reset?: boolean; nodes: TreeNode[] }

type Phase = 'play' | 'over' | 'analysis';
interface MenuEntry { game: string; engines: { engine: number; name: string }[] }
interface SavedGame { saved: string; menu: string; title: string; plies: number; when: number; seats: string[] }
interface OpenGame { game: string; title: string; phase: Phase; plies: number; seats: string[]; when: number; result?: GameResult }
interface Welcome {
  type: 'welcome'; v: number; role: 'host' | 'seat' | 'spectator'; version: string; game?: string;
  menu?: MenuEntry[];
  open?: OpenGame[];
  saved?: SavedGame[];
  records?: { name: string; menu: string; count: number };
  defaults?: { rules: Record<string, string>; tc: string | null; movetime: number; start: boolean };
  links?: boolean;
}
interface RuleOption { name: string; kind: string; value: string; choices?: string[]; min?: number; max?: number }
interface About {
  type: 'about'; menu: string; title: string; seats: number; secrets: boolean; chance: boolean;
  table: Table; board: Board | null; rules: RuleOption[]; puzzles: number;
  engines: { engine: number; name: string; ok: boolean; pictures: boolean; players: string[]; levels: number; text?: string }[];
}
interface Rules { type: 'rules'; menu: string; markdown: string }
interface RecordEntry { record: number; game: number; seats: string[]; result: string; reason: string; plies: number; places?: number[]; moves?: { token: string; seat: number }[] }
interface Records { type: 'records'; from: number; count: number; list: RecordEntry[] }
interface Games { type: 'games'; open: OpenGame[]; saved: SavedGame[] }
interface TableMessage { type: 'table'; game: string; table: Table }

interface SeatState {
  seat: string; kind: 'here' | 'link' | 'engine' | 'none'; name: string; yours: boolean; online: boolean; ready: boolean;
  engine?: number; player?: string | null; level?: number; thinking?: boolean; movetime?: number; depth?: number; nodes?: number; link?: string;
}
interface GameResult { result: string; places: number[]; reason: string; points: string | null; ending: string; why: string; text: string }
interface Fault { seat: string; engine: string; kind: string; text: string }
interface Offer { kind: string; by: string; wait: string[] }
interface GameState {
  type: 'state'; game: string; seq: number; round: number; title: string; menu: string; phase: Phase; secrets: boolean;
  turn: string; live: number; throws: 'auto' | 'click' | 'real'; seats: SeatState[];
  you: { host: boolean; seats: string[]; view: string | null; curtain: string | null; undo: boolean; draw: boolean; analyse: boolean; variations: boolean; record: boolean; review: boolean };
  clocks: { tc: string; left: number[]; running: string | null } | null;
  result: GameResult | null; fault: Fault | null; offer: Offer | null; review: ReviewMessage | null; watch?: string; spectators: number; saved: boolean; saved_error: string | null;
}
interface PositionMessage {
  type: 'position'; game: string; seq: number; node: number; ply: number; turn: string | null; view: string | null; act: string | null;
  board: Board | null; step: Step | null;
}
interface StepMessage { type: 'step'; node: number; step: Step }
interface PathMessage { type: 'path'; node: number; token: string; path: string[]; show: Show[]; words: string[] }
interface MovesMessage { type: 'moves'; node: number; tokens: string[]; many: boolean }
interface AnalysisLine { rank: number; score: Score | null; shares: number[]; pv: string[]; depth: number | null; path?: string[]; show?: Show[] }
interface AnalysisMessage {
  type: 'analysis'; game: string; node: number; running: boolean;
  depth: number | null; nodes: number | null; nps: number | null; time: number | null; lines: AnalysisLine[];
}
interface HintMessage { type: 'hint'; node: number; token: string; path?: string[]; show?: Show[]; score: Score | null; shares: number[] }
interface ReviewMessage { type: 'review'; game: string; running: boolean; done: number; of: number; left_ms: number | null }
interface TextMessage { type: 'text'; what: 'fen' | 'position' | 'moves' | 'record' | 'svg'; name: string; text: string }
interface Solution { accept: string[]; replies?: Record<string, Solution> }
interface LessonStep {
  text: string; rules: Record<string, string>; position: string; seat: string; solution?: Solution;
  hint?: string; yes?: string; no?: string | Record<string, string>; marks?: string[]; arrows?: [string, string][];
}
interface Lesson { id: string; title: string; steps: LessonStep[] }
interface LessonsMessage { type: 'lessons'; menu: string; lessons: Lesson[] }
interface Puzzle {
  id: string; rules: Record<string, string>; position: string; seat: string; text: string; solution: Solution;
  goal: string; rating: number; level: number; nodes: number; themes: string[]; loss?: Record<string, number>;
}
interface PuzzlesMessage { type: 'puzzles'; menu: string; from: number; count: number; puzzles: Puzzle[] }
type Phrase = 'hello' | 'ready' | 'luck' | 'nice' | 'thanks' | 'oops' | 'moment' | 'bye';
interface Said { type: 'said'; game: string; by: string[]; phrase: Phrase }
interface Closed { type: 'closed'; game: string }
interface Pong { type: 'pong' }
interface Done { type: 'done' }
interface Problem { type: 'error'; code: string; text: string }
