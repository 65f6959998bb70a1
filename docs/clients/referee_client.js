// A client of the API of `referee serve`, for programs at a table or a tournament: Node 18 or a browser,
// and nothing else. Install it, or copy this file into your program. Written from the OpenAPI document
// (`python -m tools.clients`).

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
    /** So many seconds are waited before a lost stream is asked for again. */
    [this.soonest, this.latest] = [1, 30];
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
   * A game live: number of the entry, kind of the event, its data. A lost connection is made anew and
   * goes on behind the last event; it ends when the service refuses it.
   * @param {string} game @param {number} [after]
   * @returns {AsyncGenerator<{number: number, kind: string, data: any}>}
   */
  events(game, after = -1) { return this.follow(`/games/${encodeURIComponent(game)}/events`, after); }

  /**
   * A tournament live, in the same way.
   * @param {string} tournament @param {number} [after]
   * @returns {AsyncGenerator<{number: number, kind: string, data: any}>}
   */
  tournamentEvents(tournament, after = -1) {
    return this.follow(`/tournaments/${encodeURIComponent(tournament)}/events`, after);
  }

  /**
   * @param {string} path @param {number} number
   * @returns {AsyncGenerator<{number: number, kind: string, data: any}>}
   */
  async *follow(path, number) {
    for (let pause = this.soonest; ; pause = Math.min(2 * pause, this.latest)) {
      try {
        for await (const event of this.stream(path, number)) {
          [number, pause] = [event.number, this.soonest];
          yield event;
        }
      } catch (error) {
        // else the line was cut, or somebody between us has answered
        if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error;
      }
      await new Promise((done) => setTimeout(done, 1000 * pause * (0.5 + Math.random() / 2)));
    }
  }

  /**
   * @param {string} path @param {number} after
   * @returns {AsyncGenerator<{number: number, kind: string, data: any}>}
   */
  async *stream(path, after) {
    const headers = { ...this.headers, "Last-Event-ID": String(after) };
    const reply = await fetch(`${this.url}${path}`, { headers });
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

  /**
   * List tournaments.
   * @param {{current?: string|null}} [said]
   * @returns {Promise<TournamentListAnswer>}
   */
  tournamentList(said = {}) { return this.ask("GET", `/tournaments`, said); }

  /**
   * Create a tournament.
   * @param {{game?: string|null, games?: Array<string>, format?: "swiss"|"round_robin"|"knockout"|"double_elimination"|"pods"|"league"|"duplicate"|"ladder", rounds?: number, options?: Record<string, any>, deals?: Array<Deal|DealRef>, seats?: SeatRange|null, scoring?: any|null, tie_breaks?: Array<"PTS"|"DE"|"BH"|"BH/C1"|"BH/C2"|"BH/M1"|"PS"|"KS"|"SB"|"WIN"|"OMW"|"GP"|"GW"|"OGW"|"EMGSB"|"EMGSB/C1"|"FIRSTS"|"SHARE"|"SCORE"|"OPP"|"BEST"|"ATT"|"LADDER"|"LOT">|null, readings?: Record<string, any>|null, house_rules?: Record<string, any>|null, presets?: Record<string, any>|null, time?: TimeRule|null, table_numbers?: "varied"|"by_standings"|null, check_in?: boolean|null, unplayed_rounds?: "fide_2024"|"fide_2026"|null, penalties?: Array<PenaltyLevel>|null, match?: Match|null, like?: "olympiad"|null, name: string, plan?: Plan|null}} said
   * @returns {Promise<ToldAnswer>}
   */
  tournamentNew(said) { return this.ask("POST", `/tournaments`, said); }

  /**
   * Status of a tournament.
   * @param {string} tournament
   * @param {{at?: number|null}} [said]
   * @returns {Promise<TournamentInfoAnswer>}
   */
  tournamentInfo(tournament, said = {}) { return this.ask("GET", `/tournaments/${encodeURIComponent(tournament)}`, said); }

  /**
   * List players.
   * @param {string} tournament
   * @returns {Promise<TournamentPlayersAnswer>}
   */
  tournamentPlayers(tournament) { return this.ask("GET", `/tournaments/${encodeURIComponent(tournament)}/players`); }

  /**
   * Register players.
   * @param {string} tournament
   * @param {{players: Array<PlayerRow>, fixed_table?: number|null, namesake?: boolean}} said
   * @returns {Promise<ToldAnswer>}
   */
  tournamentRegister(tournament, said) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/players`, said); }

  /**
   * Check players in.
   * @param {string} tournament
   * @param {{names?: Array<string>, everybody?: boolean}} [said]
   * @returns {Promise<ToldAnswer>}
   */
  tournamentCheckIn(tournament, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/players/check-in`, said); }

  /**
   * Pair the next round.
   * @param {string} tournament
   * @param {{round?: number|null, seed?: number|null, anyway?: boolean}} [said]
   * @returns {Promise<TournamentRoundAnswer>}
   */
  tournamentPair(tournament, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/round/pairing`, said); }

  /**
   * Start a round.
   * @param {string} tournament
   * @param {{round?: number|null, with_clock?: boolean}} [said]
   * @returns {Promise<ToldAnswer>}
   */
  tournamentStart(tournament, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/round/start`, said); }

  /**
   * A round and its tables.
   * @param {string} tournament
   * @param {{round?: number|null, player?: string|null}} [said]
   * @returns {Promise<TournamentRoundAnswer>}
   */
  tournamentRound(tournament, said = {}) { return this.ask("GET", `/tournaments/${encodeURIComponent(tournament)}/round`, said); }

  /**
   * Open the game of a table.
   * @param {string} tournament
   * @param {string} table
   * @param {{table?: string, round?: number|null, players?: number|null, again?: boolean, board?: number|null}} [said]
   * @returns {Promise<TournamentTableAnswer|OpeningRefusedAnswer>}
   */
  tournamentTable(tournament, table, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/tables/${encodeURIComponent(table)}`, said); }

  /**
   * Enter a result.
   * @param {string} tournament
   * @param {string} table
   * @param {{places?: Array<string>, scores?: Array<string>, absent?: Array<string>, measures?: Array<number>|null, tie_order?: string, timed_out?: boolean, anyway?: boolean, games?: string, round?: number|null, reason: string}} said
   * @returns {Promise<ToldAnswer>}
   */
  tournamentResult(tournament, table, said) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/tables/${encodeURIComponent(table)}/result`, said); }

  /**
   * Close a round.
   * @param {string} tournament
   * @param {{round?: number|null}} [said]
   * @returns {Promise<ToldAnswer>}
   */
  tournamentRoundClose(tournament, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/round/close`, said); }

  /**
   * Standings.
   * @param {string} tournament
   * @param {{through?: number|null, section?: string|null}} [said]
   * @returns {Promise<TournamentStandingsAnswer>}
   */
  tournamentStandings(tournament, said = {}) { return this.ask("GET", `/tournaments/${encodeURIComponent(tournament)}/standings`, said); }

  /**
   * Close a tournament.
   * @param {string} tournament
   * @param {{anyway?: boolean}} [said]
   * @returns {Promise<ToldAnswer>}
   */
  tournamentClose(tournament, said = {}) { return this.ask("POST", `/tournaments/${encodeURIComponent(tournament)}/close`, said); }
}

/** @typedef {{verb: string}} ActionAnswer */
/** @typedef {{player: string, text: string}} AnsweredCall */
/** @typedef {{board: number, first: SeatAnswer|null, second: SeatAnswer|null, begins: "A"|"B", result: "A"|"B"|"="|null, game: string|null}} BoardAnswer */
/** @typedef {{engine: string, package: string, place: string, why: string}} BrokenEngineRow */
/** @typedef {{word: string, name: string, complete: boolean, options: number}} ChoiceRow */
/** @typedef {{game: string, choices: Array<ChoiceRow>}} ChoicesAnswer */
/** @typedef {{number: number, clause: string, status: "open"|"cleared"|"broken", by: number|null, seal: string|null}} ClaimAnswer */
/** @typedef {{minutes: number, left: number, ends: string|null, up: boolean, state: "running"|"paused"|"stopped", starts: string|null, starts_in: number, tables: Array<TableTimeAnswer>}} ClockAnswer */
/** @typedef {{clause: string, facts: Record<string, any>, held: boolean, effect: boolean}} ConsultedAnswer */
/** @typedef {{name: string, game: string, piles: Record<string, any>, seed?: number|null}} Deal */
/** @typedef {{name: string, digest: string}} DealRef */
/** @typedef {{id: string, numbers: Array<number>, seat: string|null, clause: string|null, text: string, cause: "seat"|"finding"|"stands"|"deal"|"slip", holds: boolean, beside: string|null, settled: string|null, attended?: boolean, appeals?: string|null, game: string}} DisputeAnswer */
/** @typedef {{kind?: "double_elimination", on_tie?: "replay"|"better_seed"|"later_seat"|"judge"}} DoubleElimination */
/** @typedef {{datum: string, provenance: string}} DoubtAnswer */
/** @typedef {{kind?: "duel", win?: number, draw?: number, loss?: number, bye?: number, half_bye?: number}} DuelScoring */
/** @typedef {{kind?: "duplicate", deals: Array<DealRef>}} Duplicate */
/** @typedef {{engines: Array<EngineRow>, broken?: Array<BrokenEngineRow>}} EngineListAnswer */
/** @typedef {{engine: string, name: string, version: string, seats: Array<any>, clauses: number, readings: number}} EngineRow */
/** @typedef {{game: string, last: number, entries: Array<EntryRow>}} EntriesAnswer */
/** @typedef {{entry: number, kind: string, at: string, by: string, role: string, number: number|null, text: string|null, outcome: string|null, clauses: Array<string>, told: string}} EntryRow */
/** @typedef {{number: number, kind: string}} EventRef */
/** @typedef {{style: "top_table"|"knockout"|"double_elimination", players: Array<string>}} FinalistsAnswer */
/** @typedef {{status: "broken"|"cleared", clause: string, entries: Array<number>, facts: Record<string, any>, since?: number|null}} FindingAnswer */
/** @typedef {{game: string, reason: string, places: Array<Array<string>>, scores: Record<string, number>, clause: string|null, won: boolean|null, claims: Array<ClaimAnswer>, disputes: Array<string>, seals: Array<string>, head: string}} FinishAnswer */
/** @typedef {{game: string, engine: string, title: string, people: Record<string, string>, players: Record<string, string>, entries: number, actions: number, opened: string, updated: string, closed: boolean, result: Record<string, any>|null, tournament: string, kept_apart?: boolean, seats?: number, box?: string, readings?: Record<string, string>, disputes?: number, open_disputes?: number, over?: boolean}} GameRow */
/** @typedef {{kind?: "game", bye?: number, half_bye?: number}} GameScoring */
/** @typedef {{total: number, games: Array<GameRow>}} GamesAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string}} HeardAnswer */
/** @typedef {{game: string, engine: string, engine_version: string, edition: string, title: string, tournament: string, all_seats: Array<string>, seats: Record<string, string>, opening: string, kit: string, kit_hash: string, provenance: Record<string, number>, readings: Record<string, string>, house_rules: Array<string>, preset: string, take_backs_need_judge: Array<string>, entries: number, actions: number, pending: Array<number>, held: boolean, clock: TableClockAnswer|null, closed: boolean, over: boolean, disputes: Array<string>, confirmed: Record<string, number>, agreed: boolean, claims: Array<ClaimAnswer>, notes: number, head: string, to_act: Array<string>, corrected: number|null, colours?: Record<string, string>, to_act_text?: string, result?: ResultAnswer|null}} InfoAnswer */
/** @typedef {{kind?: "knockout", advance?: number, lives?: number, on_tie?: "replay"|"better_seed"|"later_seat"|"judge", third_place?: boolean}} Knockout */
/** @typedef {{kind?: "ladder"}} Ladder */
/** @typedef {{kind?: "ladder", measures: Array<Measure>, bye?: number, half_bye?: number}} LadderScoring */
/** @typedef {{kind?: "league", counted: number}} League */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string, lines: Array<HeardAnswer>, try: Array<string>, forgotten?: Array<string>, labels?: Record<string, string>, both?: boolean}} LogAnswer */
/** @typedef {{games: number, boards?: boolean, bye_boards?: number|null, no_show_boards?: number|null, roster_order?: boolean}} Match */
/** @typedef {{name: string, better?: "more"|"fewer"}} Measure */
/** @typedef {{number: number, seq: number, at: string, by: string, seat: string|null, text: string, outcome: "legal"|"illegal"|"undecided", clauses: Array<string>, status: "counts"|"pending"|"taken_back"|"corrected", stands: boolean, notes: Array<string>, settled: "cleared"|"broken"|null, settled_by: string|null, round?: number|null, told?: string, by_sight?: "confirmed"|"unconfirmed"|null, remarks?: Array<string>}} MoveRow */
/** @typedef {{source: string|null, target: string|null, thing: string, amount: number}} MovedAnswer */
/** @typedef {{game: string, moves: Array<MoveRow>}} MovesAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, number: number|null, notation: string|null, action: ActionAnswer|null, accepted: boolean, stands: boolean, may_stand: boolean, disputes: Array<string>, attention: boolean, doubts: Array<DoubtAnswer>, to_act: Array<string>, head: string, assumed: number, unchosen: Record<string, string>}} NewAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, engine: string, notation: string}} OpeningRefusedAnswer */
/** @typedef {{notation: string, action: ActionAnswer, label?: string, secret?: boolean}} OptionAnswer */
/** @typedef {{game: string, options: Array<OptionAnswer>, in_silence: Array<OptionAnswer>, templates: Array<string>, names: Record<string, string>, drawings?: Record<string, string>}} OptionsAnswer */
/** @typedef {{id: string, role: string, scope: string, person: string, name: string, created: string, expires: string|null, token: string}} PassAnswer */
/** @typedef {{name: string, halves?: number}} PenaltyLevel */
/** @typedef {{place: string, things: Array<string>}} PileAnswer */
/** @typedef {{kind?: "places", places: Array<number>, by_size?: Record<string, any>, tied_first?: number|null, bye?: number, half_bye?: number}} PlaceScoring */
/** @typedef {{games: Array<string>, format: any, rounds: number, seats: SeatRange, scoring: any, tie_breaks: Array<"PTS"|"DE"|"BH"|"BH/C1"|"BH/C2"|"BH/M1"|"PS"|"KS"|"SB"|"WIN"|"OMW"|"GP"|"GW"|"OGW"|"EMGSB"|"EMGSB/C1"|"FIRSTS"|"SHARE"|"SCORE"|"OPP"|"BEST"|"ATT"|"LADDER"|"LOT">, readings?: Record<string, any>, house_rules?: Record<string, any>, presets?: Record<string, any>, time?: TimeRule|null, table_numbers?: "varied"|"by_standings", check_in?: boolean, unplayed_rounds?: "fide_2024"|"fide_2026", penalties?: Array<PenaltyLevel>, match?: Match|null}} Plan */
/** @typedef {{name: string, club?: string, rating?: number, seed?: number|null, last_name?: string, title?: string, federation?: string, licence?: string, sections?: Array<string>, team?: string, board?: number|null, captain?: boolean}} PlayerRow */
/** @typedef {{kind?: "pods", by_standings?: boolean}} Pods */
/** @typedef {{clause: string, facts: Record<string, any>}} PointAnswer */
/** @typedef {{game: string, name: string, readings?: Record<string, string>, house_rules?: Array<string>, take_backs_need_judge?: Array<"observation"|"other_seat">}} Preset */
/** @typedef {{moved?: Array<MovedAnswer>, counted?: Array<RecountAnswer>, arranged?: Array<PileAnswer>, told?: Array<string>}} RearrangedAnswer */
/** @typedef {{holder: string, what: "points"|"cards", was: number, now: number}} RecountAnswer */
/** @typedef {{game: string, table?: RearrangedAnswer, judged_again: number, rejudged: Array<RejudgedRow>, pending: Array<number>, disputes_ended?: Array<string>, restored: Array<number>}} RedoAnswer */
/** @typedef {{number: number, before: "legal"|"illegal"|"undecided", after: "legal"|"illegal"|"undecided"|"pending", clauses: Array<string>}} RejudgedRow */
/** @typedef {{player: string, outcome: Record<string, any>, event: number}} ReportAnswer */
/** @typedef {{places: Array<Array<string>>, scores: Record<string, number>, clause: string|null, won: boolean|null, reason: string}} ResultAnswer */
/** @typedef {{kind?: "round_robin", twice?: boolean}} RoundRobin */
/** @typedef {{at: string, text: string}} ScheduleRow */
/** @typedef {{seat: string, points: number, total: number}} ScoredAnswer */
/** @typedef {{player: string, name: string}} SeatAnswer */
/** @typedef {{least: number, most: number, preferred: number}} SeatRange */
/** @typedef {{rank: number, section_rank: number|null, player: string, name: string, values: Array<Array<any>>, final: number|null}} StandingsRow */
/** @typedef {{game: string, number: number, state: Record<string, any>, words: Array<string>, claims: Array<ClaimAnswer>, clock: TableClockAnswer|null, status: "counts"|"pending"|"taken_back"|"corrected"}} StateAnswer */
/** @typedef {{kind?: "swiss", system?: "matching"|"dutch", accelerated?: boolean}} Swiss */
/** @typedef {{table: number, seats: Array<SeatAnswer>, games: Array<string>, played: Array<"A"|"B"|"=">, next_game: boolean, outcome: Record<string, any>|null, event: number|null, source: Record<string, any>|null, reports: Array<ReportAnswer>, differ: boolean, calling: Array<string>, heard: Array<AnsweredCall>, boards: Array<BoardAnswer>}} TableAnswer */
/** @typedef {{per: "seat"|"round", seconds: number, at_zero: "nothing"|"judge", increment: number, set_by: number, round: number|null, left: Record<string, number>, running: Array<string>, since: string}} TableClockAnswer */
/** @typedef {{minutes: number, left: number, ends: string|null, up: boolean, table: number}} TableTimeAnswer */
/** @typedef {{minutes: number, on_time: "as_it_stands"|"finish_the_turn"|"finish_the_round"|"judge"}} TimeRule */
/** @typedef {{tournament: string, name: string, events: Array<EventRef>, head: string, games?: Array<string>}} ToldAnswer */
/** @typedef {{tournament: string, name: string, format: string, players: number, rounds: number, closed: boolean, created: string, open_round: number|null, clock: ClockAnswer|null, plan: Record<string, any>, readings: Record<string, Record<string, string>>, finals: FinalistsAnswer|null, announcement: string, schedule: Array<ScheduleRow>, has_map: boolean, last_event: number, head: string}} TournamentInfoAnswer */
/** @typedef {{tournaments: Array<TournamentRow>}} TournamentListAnswer */
/** @typedef {{player: string, number: number, name: string, club: string, rating: number, seed: number|null, fixed_table: number|null, last_name: string, title: string, federation: string, licence: string, sections: Array<string>, paid: boolean|null, status: "registered"|"present"|"dropped", here_for: Array<number>}} TournamentPlayerAnswer */
/** @typedef {{tournament: string, players: Array<TournamentPlayerAnswer>, paid: number|null}} TournamentPlayersAnswer */
/** @typedef {{round: number, stage: string, game: string, algorithm: string, version: number, seed: number, input_hash: string, started: boolean, closed: boolean, clock: ClockAnswer|null, match: Record<string, any>|null, tables: Array<TableAnswer>, byes: Array<string>, free: Array<string>, third_place: number|null, final: number|null, tournament: string}} TournamentRoundAnswer */
/** @typedef {{tournament: string, name: string, format: string, players: number, rounds: number, closed: boolean, created: string}} TournamentRow */
/** @typedef {{tournament: string, rounds: number, unfinished: boolean, with_finals: boolean, columns: Array<string>, rows: Array<StandingsRow>, section: string|null, sections: Array<string>}} TournamentStandingsAnswer */
/** @typedef {{tournament: string, round: number, table: number, board: number|null, game: string, new: boolean, seats: Record<string, string>, readings: Record<string, string>}} TournamentTableAnswer */
/** @typedef {{game: string, table?: RearrangedAnswer, judged_again: number, rejudged: Array<RejudgedRow>, pending: Array<number>, disputes_ended?: Array<string>, undone: Array<number>}} UndoAnswer */
/** @typedef {{warning: string, facts: Record<string, any>}} WarningAnswer */
/** @typedef {{role: string, scope: string, person: string, name: string, picture: string|null}} WhoAnswer */
/** @typedef {{verdict: "legal"|"illegal"|"undecided", clause: string|null, breaches: Array<PointAnswer>, claims: Array<PointAnswer>, effects: Array<PointAnswer>, findings: Array<FindingAnswer>, warnings: Array<WarningAnswer>, doubted?: Array<PointAnswer>, moved: Array<MovedAnswer>, scored: Array<ScoredAnswer>, game: string, notation: string, consulted: Array<ConsultedAnswer>, readings: Record<string, string>, status: "counts"|"pending"|"taken_back"|"corrected"|null, try: Array<string>}} WhyAnswer */
