// A client of the API of `referee serve`, for programs at a table: Node 18 or a browser, and nothing else.
// Written from the OpenAPI document (`python -m tools.clients`); copy it into your program.

/** The service says no: `status`, `code`, and the whole problem document. */
export class Refused extends Error {
  /** @param {{status: number, code: string, title: string, detail?: string}} problem */
  constructor(problem) {
    super(problem.detail || problem.title);
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }
}

/** One service, one token; a seat's token need not say who speaks. */
export class Client {
  /** @param {string} url @param {string} [token] @param {string} [lang] */
  constructor(url, token = "", lang = "en") {
    this.url = `${url}/api/v1`;
    /** @type {Record<string, string>} */
    this.headers = { "Accept-Language": lang, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  }

  /** @param {string} method @param {string} path @param {Record<string, any>} [said] @returns {Promise<any>} */
  async ask(method, path, said = {}) {
    const reads = method === "GET";
    const query = new URLSearchParams();
    for (const [name, value] of reads ? Object.entries(said) : []) {
      for (const each of [value].flat()) if (each !== null && each !== undefined) query.append(name, String(each));
    }
    const more = reads ? {} : { body: JSON.stringify(said) };
    const headers = { ...this.headers, ...(reads ? {} : { "Content-Type": "application/json" }) };
    const reply = await fetch(`${this.url}${path}${query.size ? `?${query}` : ""}`, { method, headers, ...more });
    const answer = await reply.json();
    if (!reply.ok) throw new Refused(answer);
    return answer.data;
  }

  /**
   * A game live: number of the entry, kind of the event, its data. Ends with the stream.
   * @param {string} game @param {number} [after]
   * @returns {AsyncGenerator<{number: number, kind: string, data: any}>}
   */
  async *events(game, after = -1) {
    const headers = { ...this.headers, "Last-Event-ID": String(after) };
    const reply = await fetch(`${this.url}/games/${encodeURIComponent(game)}/events`, { headers });
    if (!reply.ok || !reply.body) throw new Refused(await reply.json());
    const decoder = new TextDecoder();
    let [rest, number, kind] = ["", after, "message"];
    for await (const bytes of /** @type {any} */ (reply.body)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [name, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)];
        if (name === "id") number = Number(value);
        else if (name === "event") kind = value;
        else if (name === "data") yield { number, kind, data: JSON.parse(value) };
      }
    }
  }

  /**
   * List games, latest first.
   * @param {{closed?: boolean|null, engine?: string|null, player?: string|null, tournament?: string|null, since?: string|null, until?: string|null, search?: string, players?: number|null, box?: string|null, reading?: string|null, clause?: string|null, dispute?: "any"|"open"|"none"|null, result?: "decided"|"tied"|"table_won"|"table_lost"|"none"|null, won_by?: string|null, current?: string|null, start?: number, most?: number}} [said]
   * @returns {Promise<GamesAnswer>}
   */
  games(said = {}) { return this.ask("GET", `/games`, said); }

  /**
   * Start a game.
   * @param {{game: string, table?: string, players?: Record<string, string>, kit?: string|Record<string, any>|null, readings?: Record<string, string>, house_rules?: Array<string>, preset?: Preset|null, title?: string, stands?: boolean}} said
   * @returns {Promise<NewAnswer|OpeningRefusedAnswer>}
   */
  new(said) { return this.ask("POST", `/games`, said); }

  /**
   * Set-up and status of a game.
   * @param {string} game
   * @returns {Promise<InfoAnswer>}
   */
  info(game) { return this.ask("GET", `/games/${encodeURIComponent(game)}`); }

  /**
   * Log moves, up to the first refusal.
   * @param {string} game
   * @param {{lines: Array<string|Record<string, any>>, stands?: boolean, after?: number|null, by_sight?: "confirmed"|"unconfirmed"|null}} said
   * @returns {Promise<LogAnswer>}
   */
  log(game, said) { return this.ask("POST", `/games/${encodeURIComponent(game)}/actions`, said); }

  /**
   * Check moves, recording nothing.
   * @param {string} game
   * @param {{lines: Array<string|Record<string, any>>, stands?: boolean, after?: number|null}} said
   * @returns {Promise<LogAnswer>}
   */
  check(game, said) { return this.ask("POST", `/games/${encodeURIComponent(game)}/check`, said); }

  /**
   * The position, as text and data.
   * @param {string} game
   * @param {{at?: number|null, view?: string|null}} [said]
   * @returns {Promise<StateAnswer>}
   */
  state(game, said = {}) { return this.ask("GET", `/games/${encodeURIComponent(game)}/state`, said); }

  /**
   * Every legal move, and the form of those that cannot be listed.
   * @param {string} game
   * @param {{prefix?: string, at?: number|null, drawings?: boolean}} [said]
   * @returns {Promise<OptionsAnswer>}
   */
  options(game, said = {}) { return this.ask("GET", `/games/${encodeURIComponent(game)}/options`, said); }

  /**
   * The words that may come next in a line.
   * @param {string} game
   * @param {{prefix?: string}} [said]
   * @returns {Promise<ChoicesAnswer>}
   */
  choices(game, said = {}) { return this.ask("GET", `/games/${encodeURIComponent(game)}/choices`, said); }

  /**
   * Why a move is legal or not, with every rule consulted.
   * @param {string} game
   * @param {{line: string, at?: number|null}} said
   * @returns {Promise<WhyAnswer>}
   */
  why(game, said) { return this.ask("GET", `/games/${encodeURIComponent(game)}/why`, said); }

  /**
   * The record, move by move.
   * @param {string} game
   * @param {{start?: number, by?: string|null, containing?: string|null, everything?: boolean, bare?: boolean, view?: string|null}} [said]
   * @returns {Promise<MovesAnswer>}
   */
  moves(game, said = {}) { return this.ask("GET", `/games/${encodeURIComponent(game)}/moves`, said); }

  /**
   * The record, entry by entry.
   * @param {string} game
   * @param {{after?: number, most?: number, view?: string|null}} [said]
   * @returns {Promise<EntriesAnswer>}
   */
  entries(game, said = {}) { return this.ask("GET", `/games/${encodeURIComponent(game)}/entries`, said); }

  /**
   * Undo the last moves.
   * @param {string} game
   * @param {{count?: number, to?: number|null, reason?: string}} [said]
   * @returns {Promise<UndoAnswer>}
   */
  undo(game, said = {}) { return this.ask("POST", `/games/${encodeURIComponent(game)}/undo`, said); }

  /**
   * Redo what was undone.
   * @param {string} game
   * @param {{count?: number}} [said]
   * @returns {Promise<RedoAnswer>}
   */
  redo(game, said = {}) { return this.ask("POST", `/games/${encodeURIComponent(game)}/redo`, said); }

  /**
   * Finish a game.
   * @param {string} game
   * @param {{reason?: string, yes?: boolean}} [said]
   * @returns {Promise<FinishAnswer>}
   */
  finish(game, said = {}) { return this.ask("POST", `/games/${encodeURIComponent(game)}/finish`, said); }

  /**
   * Call a judge about a move.
   * @param {string} game
   * @param {{number: number, text?: string, seat?: string|null, clause?: string|null, holds?: boolean, appeals?: string|null}} said
   * @returns {Promise<DisputeAnswer>}
   */
  disputeOpen(game, said) { return this.ask("POST", `/games/${encodeURIComponent(game)}/disputes`, said); }

  /**
   * Who am I here?.
   * @returns {Promise<WhoAnswer>}
   */
  accessWho() { return this.ask("GET", `/me`); }

  /**
   * Exchange a join code for a token and a cookie.
   * @param {{code: string}} said
   * @returns {Promise<PassAnswer>}
   */
  join(said) { return this.ask("POST", `/join`, said); }

  /**
   * List the games that can be refereed.
   * @returns {Promise<EngineListAnswer>}
   */
  engineList() { return this.ask("GET", `/engines`); }
}

/** @typedef {{verb: string}} ActionAnswer */
/** @typedef {{engine: string, package: string, place: string, why: string}} BrokenEngineRow */
/** @typedef {{word: string, name: string, complete: boolean, options: number}} ChoiceRow */
/** @typedef {{game: string, choices: Array<ChoiceRow>}} ChoicesAnswer */
/** @typedef {{number: number, clause: string, status: "open"|"cleared"|"broken", by: number|null, seal: string|null}} ClaimAnswer */
/** @typedef {{clause: string, facts: Record<string, any>, held: boolean, effect: boolean}} ConsultedAnswer */
/** @typedef {{id: string, numbers: Array<number>, seat: string|null, clause: string|null, text: string, cause: "seat"|"finding"|"stands"|"deal"|"slip", holds: boolean, beside: string|null, settled: string|null, attended?: boolean, appeals?: string|null, game: string}} DisputeAnswer */
/** @typedef {{datum: string, provenance: string}} DoubtAnswer */
/** @typedef {{engines: Array<EngineRow>, broken?: Array<BrokenEngineRow>}} EngineListAnswer */
/** @typedef {{engine: string, name: string, version: string, seats: Array<any>, clauses: number, readings: number}} EngineRow */
/** @typedef {{game: string, last: number, entries: Array<EntryRow>}} EntriesAnswer */
/** @typedef {{entry: number, kind: string, at: string, by: string, role: string, number: number|null, text: string|null, outcome: string|null, clauses: Array<string>, told: string}} EntryRow */
/** @typedef {{status: "broken"|"cleared", clause: string, entries: Array<number>, facts: Record<string, any>, since?: number|null}} FindingAnswer */
/** @typedef {{game: string, reason: string, places: Array<Array<string>>, scores: Record<string, number>, clause: string|null, won: boolean|null, claims: Array<ClaimAnswer>, disputes: Array<string>, seals: Array<string>, head: string}} FinishAnswer */
/** @typedef {{game: string, engine: string, title: string, people: Record<string, string>, players: Record<string, string>, entries: number, actions: number, opened: string, updated: string, closed: boolean, result: Record<string, any>|null, tournament: string, kept_apart?: boolean, seats?: number, box?: string, readings?: Record<string, string>, disputes?: number, open_disputes?: number, over?: boolean}} GameRow */
/** @typedef {{total: number, games: Array<GameRow>}} GamesAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string}} HeardAnswer */
/** @typedef {{game: string, engine: string, engine_version: string, edition: string, title: string, tournament: string, all_seats: Array<string>, seats: Record<string, string>, opening: string, kit: string, kit_hash: string, provenance: Record<string, number>, readings: Record<string, string>, house_rules: Array<string>, preset: string, take_backs_need_judge: Array<string>, entries: number, actions: number, pending: Array<number>, held: boolean, clock: TableClockAnswer|null, closed: boolean, over: boolean, disputes: Array<string>, confirmed: Record<string, number>, agreed: boolean, claims: Array<ClaimAnswer>, notes: number, head: string, to_act: Array<string>, corrected: number|null, colours?: Record<string, string>, to_act_text?: string, result?: ResultAnswer|null}} InfoAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string, lines: Array<HeardAnswer>, try: Array<string>, forgotten?: Array<string>, both?: boolean}} LogAnswer */
/** @typedef {{number: number, seq: number, at: string, by: string, seat: string|null, text: string, outcome: "legal"|"illegal"|"undecided", clauses: Array<string>, status: "counts"|"pending"|"taken_back"|"corrected", stands: boolean, notes: Array<string>, settled: "cleared"|"broken"|null, settled_by: string|null, round?: number|null, told?: string, by_sight?: "confirmed"|"unconfirmed"|null, remarks?: Array<string>}} MoveRow */
/** @typedef {{source: string|null, target: string|null, thing: string, amount: number}} MovedAnswer */
/** @typedef {{game: string, moves: Array<MoveRow>}} MovesAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string, assumed: number, unchosen: Record<string, string>}} NewAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, engine: string, notation: string}} OpeningRefusedAnswer */
/** @typedef {{notation: string, action: ActionAnswer, label?: string, secret?: boolean}} OptionAnswer */
/** @typedef {{game: string, options: Array<OptionAnswer>, in_silence: Array<OptionAnswer>, templates: Array<string>, names: Record<string, string>, drawings?: Record<string, string>}} OptionsAnswer */
/** @typedef {{id: string, role: string, scope: string, person: string, name: string, created: string, expires: string|null, token: string}} PassAnswer */
/** @typedef {{place: string, things: Array<string>}} PileAnswer */
/** @typedef {{clause: string, facts: Record<string, any>}} PointAnswer */
/** @typedef {{game: string, name: string, readings?: Record<string, string>, house_rules?: Array<string>, take_backs_need_judge?: Array<"observation"|"other_seat">}} Preset */
/** @typedef {{moved?: Array<MovedAnswer>, counted?: Array<RecountAnswer>, arranged?: Array<PileAnswer>, told?: Array<string>}} RearrangedAnswer */
/** @typedef {{holder: string, what: "points"|"cards", was: number, now: number}} RecountAnswer */
/** @typedef {{game: string, table?: RearrangedAnswer, judged_again: number, rejudged: Array<RejudgedRow>, pending: Array<number>, restored: Array<number>}} RedoAnswer */
/** @typedef {{number: number, before: "legal"|"illegal"|"undecided", after: "legal"|"illegal"|"undecided"|"pending", clauses: Array<string>}} RejudgedRow */
/** @typedef {{places: Array<Array<string>>, scores: Record<string, number>, clause: string|null, won: boolean|null, reason: string}} ResultAnswer */
/** @typedef {{seat: string, points: number, total: number}} ScoredAnswer */
/** @typedef {{game: string, number: number, state: Record<string, any>, words: Array<string>, claims: Array<ClaimAnswer>, clock: TableClockAnswer|null, status: "counts"|"pending"|"taken_back"|"corrected"}} StateAnswer */
/** @typedef {{per: "seat"|"round", seconds: number, at_zero: "nothing"|"judge", increment: number, set_by: number, round: number|null, left: Record<string, number>, running: Array<string>, since: string}} TableClockAnswer */
/** @typedef {{game: string, table?: RearrangedAnswer, judged_again: number, rejudged: Array<RejudgedRow>, pending: Array<number>, undone: Array<number>}} UndoAnswer */
/** @typedef {{warning: string, facts: Record<string, any>}} WarningAnswer */
/** @typedef {{role: string, scope: string, person: string, name: string, picture: string|null}} WhoAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, notation: string, consulted: Array<ConsultedAnswer>, readings: Record<string, string>, status: "counts"|"pending"|"taken_back"|"corrected"|null, try: Array<string>}} WhyAnswer */
