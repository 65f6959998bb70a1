// What the scripts of the pages pass to each other: types alone, nothing of it is served.

/** A JSON body of the API: an answer, or a problem. */
type ApiBody = any;

/** `status` 0: nobody answers. `after`: so many seconds they ask us to wait. */
interface Reply {
  status: number;
  body: ApiBody;
  after?: number | null;
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** What waits to be sent. */
interface QueueItem {
  key: string;
  path: string;
  said: any;
  /** The entry it was said upon; null where it holds whatever others have said. */
  version: number | null;
  seen: number;
  told: string;
  tries?: number;
  held?: boolean;
}

/** An entry of others that a page has not shown yet. */
interface MissedEntry {
  entry: number;
  told: string;
  /** The action in the words of its game, where it is one. */
  text?: string | null;
}

interface QueueParts {
  ask: Ask;
  freshKey: () => string;
  version: () => number;
  answered: (item: QueueItem, reply: Reply) => unknown;
  changed: () => void;
  owner?: string | undefined;
  storage?: () => Storage;
  events?: { addEventListener(kind: string, heard: (event: Event) => void): void };
  timeout?: (wake: (value?: unknown) => void, wait: number) => unknown;
}

/** The lines that can be said, and how their words are called. */
interface Sayable {
  lines: string[];
  templates: string[];
  names: Record<string, string>;
  labels?: Record<string, string>;
  whose?: Record<string, string>;
  /** Words that only join others. */
  small?: string[];
  /** The verbs whose numbers say how many. */
  amounts?: string[];
  /** Where the club's own pictures of components are. */
  pictures?: Record<string, string>;
  /** Small drawings of components, as SVG. */
  drawings?: Record<string, string>;
  may_log: boolean;
}

/** What a page says of itself: the entry it shows, what waits, and the line to the referee. */
interface TableState {
  confirmed: number;
  /** An entry is known that the page does not show yet. */
  behind: boolean;
  pending: number;
  connection: "live" | "lost" | "full" | "behind" | "";
}

interface GameClock {
  left: Record<string, number>;
  running: string[];
  live: boolean;
  seconds: number;
  per: string;
  at_zero: string;
  increment: number;
  set_by: number;
  round: number | null;
}

interface WallState {
  shows: string;
  paused: boolean;
  leaf: number;
  /** Of standings: only those of this section. */
  section?: string;
}

interface HallClock {
  state: string;
  left: number;
  /** Seconds until it starts by itself. */
  wait: number;
}

interface Player {
  player: string;
  number: number;
  name: string;
  status: string;
  club: string;
  rating: number;
  seed: number | null;
  fixed_table: number | null;
  sections: string[];
  paid: boolean | null;
  here_for: number[];
  [detail: string]: unknown;
}

/** The data of a page: each page has some of it. */
interface PageData extends Sayable {
  usual?: { seats: Record<string, number[]>, rules: Record<string, { points: string, order: string }> };
  version: number;
  // a table, a seat, a game that is watched or studied
  game: string;
  last: number;
  clock: any;
  // how the points went
  chart: { scores: { number: number; round: number | null; points: Record<string, number> }[]; colours: Record<string, string>; names: Record<string, string> } | null;
  may: Record<string, boolean>;
  may_dispute: boolean;
  may_undo: boolean;
  /** A role that runs the house and lies on the table. */
  keeps?: string | null;
  on_table?: boolean;
  /** What a rematch is opened with. */
  again?: any;
  /** The device is a judge's: no judge is called by itself for what it logs. */
  judges?: boolean;
  gives?: string[];
  assumed?: number;
  engine: string;
  /** A page of the tour of a box. */
  things?: any;
  /** A board of a box, and what was put on its photograph. */
  board?: any;
  /** Components of a box with the club's pictures. */
  pieces?: any;
  may_tell?: boolean;
  seats: Record<string, string>;
  places: string[];
  over: boolean;
  pending: number[];
  disputes: string[];
  claims: string[];
  sealed: string[];
  sealable: Record<string, string>;
  seat: string;
  mine: boolean;
  at: number | null;
  /** The move that a study shows. */
  now: number;
  opened: boolean;
  tried: string[];
  instead: number;
  // a position
  position: string;
  // an event
  tournament: string;
  /** What the big screens show: at the desk, and on them. */
  wall?: WallState;
  registration?: { capacity: number | null; closes: string | null; asks: string[] };
  remote?: WallState;
  /** Of a broadcast: another one whenever there is something new to see. */
  state?: string;
  table?: number;
  round: number;
  rounds: number;
  planned: number;
  people: Player[];
  details: Record<string, number>;
  tables: string[];
  games: Record<string, string>;
  finalists: string[];
  hears_calls: boolean;
  plan: any;
  edition?: string;
  shows?: string;
  section?: string;
  substitutes: [string, string][];
  no_shows: string[];
  prizes: { lines: string, several: boolean };
  hall: string[];
  line_ups: { round: number, until: string | null };
  timed?: boolean;
  measures?: string[];
  match?: { games: number, boards: boolean } | null;
}

/** How a table ended, as a request says it. */
interface Result {
  places?: (string | undefined)[];
  scores?: string[];
  measures?: number[];
  absent?: string[];
  timed_out?: boolean;
  games?: string;
}

/** A result that nobody has answered yet. */
interface Unsent {
  path: string;
  body: object;
  key: string;
  table: string;
  round: number;
  result: string;
}

/** What an element is made with: attributes, and listeners by `on…`. */
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
type Child = Node | string | null | undefined;

/** An entry or an event as the live channel tells it. */
interface Told {
  /** Of a broadcast: what it shows, and how many look at it. */
  state?: string;
  viewers?: number;
  entry: number;
  event: number;
  kind: string;
  told: string;
  table: number | null;
  seats: string[];
}

interface Point {
  space: string;
  x: number;
  y: number;
}

/** A word that may come next. */
interface Following {
  word: string;
  name: string;
}

/** A field of a form: what it is called, what stands in it, and what it comes to. */
interface FormField {
  name: string;
  row: HTMLElement;
  told: () => any;
}

/** Rows of a list that fit on one leaf of the wall. */
interface Leaf {
  view: HTMLElement;
  list?: HTMLElement;
  /** Of a bracket: what it is moved in, from its top by ``from`` pixels, ``to`` pixels high. */
  frame?: HTMLElement;
  rows: number;
  columns: number;
  letters: number;
  from: number;
  to: number;
}

/** What a list of the wall needs for each pixel of its letters. */
interface Measured {
  view: HTMLElement;
  list: HTMLElement;
  count: number;
  head: number;
  width: number;
  height: number;
  room: { width: number; height: number };
}
