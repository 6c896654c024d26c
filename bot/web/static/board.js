// The board of a table at every moment. `source` brings its course and figures: from the bot, or out of an album.
import { Zoom } from "./zoom.js";

const LAYERS = { name: "names", coord: "coordinates", number: "tile numbers", runs: "runs", new: "what is new", can: "what is legal" };
const PLAY_MS = 900, BUSY_MS = 2500, GONE = "That moment was taken back; this is the latest one.";
const $ = (id) => document.getElementById(id);

function make(tag, text, parent, set = {}) {
  const made = Object.assign(document.createElement(tag), set);
  made.textContent = text;
  parent.append(made);
  return made;
}

export class Board {
  constructor(source) {
    Object.assign(this, { source, course: null, at: 0, live: true, figure: "", asked: 0, playing: 0, panel: "", ended: "" });
    this.zoom = new Zoom($("stage"), (target) => this.tap(target));
    $("move").addEventListener("input", () => this.go(Number($("move").value)));
    for (const [id, does] of Object.entries({
      first: () => this.go(0), back: () => this.go(this.at - 1), on: () => this.go(this.at + 1), last: () => this.go(this.end), play: () => this.play(),
    })) $(id).addEventListener("click", does);
    $("panel").addEventListener("click", (e) => this.tap(e.target));
    $("stage").addEventListener("click", (e) => { if (e.target.closest("button.chip")) this.tap(e.target); });
    $("palette").addEventListener("change", () => this.draw());
    $("rounds").addEventListener("change", () => this.go(Number($("rounds").value)));
    $("companies").addEventListener("change", () => this.open($("companies").value && `company:${$("companies").value}`));
    $("told").addEventListener("click", () => $("told").classList.toggle("whole"));
    document.addEventListener("keydown", (e) => { document.body.classList.toggle("keys", e.key === "Tab" || document.body.classList.contains("keys")); this.key(e); });
    document.addEventListener("pointerdown", () => document.body.classList.remove("keys"));
    addEventListener("hashchange", () => this.follow(location.hash));
    for (const [layer, words] of Object.entries(LAYERS)) {
      const label = make("label", "", $("layers"));
      const box = make("input", "", label, { type: "checkbox", checked: true });
      label.append(` ${words}`);
      box.addEventListener("change", () => $("stage").classList.toggle(`no-${layer}`, !box.checked));
    }
  }

  get end() { return this.course.moves.length - 1; }

  async start() {
    this.take(await this.source.load());
    this.figure = this.course.pictures[0][0];
    for (const [code, words] of this.course.companies) make("option", words, $("companies"), { value: code });
    $("own").hidden = this.course.seat < 0;
    this.follow(location.hash) || this.go(this.end);
    this.source.follow?.(this);
  }

  show() { // a tab for each picture; a game that is over has more
    $("tabs").replaceChildren();
    for (const [name, label] of [...this.course.pictures, ["log", "Log"]]) {
      make("button", label, $("tabs"), { type: "button" }).addEventListener("click", () => this.choose(name));
      $("tabs").lastChild.dataset.name = name;
    }
  }

  take(course) { // the course as it is now; whoever looks back stays at their moment, if it is still in force
    const kept = this.course?.moves[this.at];
    this.course = course;
    document.title = $("table").textContent = course.table;
    $("move").max = this.end;
    this.show();
    this.list();
    if (kept && course.moves[this.at]?.[0] !== kept[0]) this.live = true;
    if (kept) this.go(this.live ? this.end : this.at);
  }

  add(move) { // one more, which does not end the game
    this.course.moves.push(move);
    $("move").max = this.end;
    this.list(this.end);
    this.live ? this.go(this.end) : this.say();
  }

  list(from = 0) { // the log: rounds as headings, each line leads to its position
    const log = $("log");
    if (!from) for (const each of [log, $("rounds"), $("marks")]) each.replaceChildren();
    for (let n = from; n <= this.end; n++) {
      const [, told, seat, round] = this.course.moves[n];
      if (!n || round !== this.course.moves[n - 1][3]) { make("h3", round, log); make("ol", "", log); make("option", round, $("rounds"), { value: n }); make("option", "", $("marks"), { value: n }); }
      const item = make("li", "", log.lastChild, { value: n });
      const line = make("button", told || "…", item, { type: "button" });
      if (seat >= 0) item.dataset.seat = seat % 8;
      line.addEventListener("click", () => { this.go(n); this.choose(this.course.pictures[0][0]); });
    }
  }

  follow(hash) { // "#12-0f3a…" names a moment, ".market" behind it a picture; "#e14" an entry of the log
    const [, entry] = /^#e(\d{1,6})$/.exec(hash) || [];
    if (entry) {
      const found = this.course.moves.findIndex((each) => each[5] === Number(entry));
      this.go(found < 0 ? this.end : found);
      if (found < 0) this.tell(GONE);
      return true;
    }
    const [, number, name, figure] = /^#(\d{1,6})-([0-9a-f]{16})(?:\.([a-z]+))?$/.exec(hash) || [];
    if (!name) return false;
    if (figure && (figure === "log" || this.course.pictures.some(([each]) => each === figure))) this.figure = figure;
    if (this.course.moves[number]?.[0] === name) this.go(Number(number));
    else { this.go(this.end); this.tell(GONE); }
    return true;
  }

  tell(words) { $("told").textContent = words; }

  go(number) {
    this.at = Math.min(Math.max(number, 0), this.end);
    this.live = this.at === this.end;
    this.say();
    this.draw();
  }

  say() {
    const [name, told, , round, asks] = this.course.moves[this.at];
    const now = this.live ? (this.course.over ? "the game is over" : "now") : `${this.end - this.at} moves ago`;
    $("status").textContent = this.ended || [asks || round, now].join(" · ");
    $("told").setAttribute("aria-live", this.live ? "polite" : "off");
    $("told").textContent = told || (this.at ? asks : "");
    $("move").value = this.at;
    $("rounds").value = this.course.moves.findIndex((each) => each[3] === round);
    $("move").setAttribute("aria-valuetext", `move ${this.at} of ${this.end}: ${told}`);
    $("count").textContent = `${this.at} / ${this.end}`;
    const log = $("log"), line = log.querySelector(`li[value="${this.at}"]`);
    log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "true");
    if (line && log.hidden) log.scrollTop = line.offsetTop - log.clientHeight / 2; // beside the board
    history.replaceState(null, "", `#${this.at}-${name}.${this.figure}`);
  }

  finish(words) { this.ended = words; this.say(); } // nothing new will come

  choose(figure) { this.figure = figure; this.say(); this.draw(); }

  async draw() {
    const mine = ++this.asked;
    this.stop?.abort();
    this.stop = new AbortController();
    for (const tab of $("tabs").children) {
      tab.setAttribute("aria-pressed", tab.dataset.name === this.figure);
    }
    const inLog = this.figure === "log";
    $("log").hidden = !inLog;
    $("stage").hidden = inLog;
    $("panel").hidden = inLog || !this.panel;
    if (inLog) return $("log").querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
    try {
      const drawn = await this.fetch(this.figure, this.stop.signal);
      if (mine !== this.asked) return;
      const keep = $("stage").dataset.figure === this.figure;
      $("stage").dataset.figure = this.figure;
      $("stage").replaceChildren(drawn);
      const svg = drawn.querySelector(":scope > svg");
      this.zoom.svg = null;
      if (svg) this.zoom.take(svg, keep);
      this.light();
      if (this.panel) await this.fill(this.panel);
      if (this.playing && this.at < this.end && this.course.seat < 0) this.fetch(this.figure, this.stop.signal, this.at + 1).catch(() => {}); // it is kept
    } catch (error) {
      if (error.name === "AbortError" || mine !== this.asked) return;
      $("stage").textContent = error.message;
      if (error.busy) setTimeout(() => mine === this.asked && this.draw(), BUSY_MS);
    }
  }

  fetch(figure, signal, at = this.at) { return this.source.figure(at, this.course.moves[at][0], $("palette").value, figure, signal); }

  tap(target) {
    if (this.source.figures) return; // an album has no details
    const found = target.closest("[data-a]"), place = target.closest('[data-a^="hex:"], [data-a^="place:"]');
    this.under = place && place !== found ? place.dataset.a : ""; // a token may cover all of a hex
    this.open(found ? found.dataset.a : "");
  }

  async open(about) { // the panel of a hex, a place or a company; "" closes it
    this.panel = about;
    $("panel").hidden = !about;
    $("companies").value = about.startsWith("company:") ? about.slice(8) : "";
    if (!about) return this.light();
    await this.fill(about);
  }

  async fill(about) {
    const [kind, what] = about.split(/:(.*)/);
    try {
      const drawn = await this.fetch(`${kind}.${what}`);
      if (about !== this.panel) return;
      $("panel").replaceChildren(drawn);
    } catch (error) { $("panel").textContent = error.message; }
    if (this.under && kind === "company") {
      const below = make("button", `Here: ${this.under.split(/:(.*)/)[1]}`, $("panel"), { type: "button" });
      below.dataset.a = this.under;
    }
    const close = make("button", "Close", $("panel"), { type: "button", className: "close" });
    close.addEventListener("click", (e) => { e.stopPropagation(); this.open(""); });
    this.light();
  }

  light() { // the network of the company in the panel, or the hex
    const lit = new Set(this.panel ? [this.panel, ...($("panel").firstChild?.dataset?.lit || "").split(" ")] : []);
    $("stage").classList.toggle("lit", lit.size > 2);
    for (const each of $("stage").querySelectorAll("[data-a]")) each.classList.toggle("on", lit.has(each.dataset.a));
  }

  play() {
    clearInterval(this.playing);
    this.playing = this.playing ? 0 : setInterval(() => (this.at < this.end ? this.go(this.at + 1) : this.play()), PLAY_MS);
    if (this.playing && this.at === this.end) this.go(0);
    $("play").textContent = this.playing ? "‖" : "▶";
    $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  key(e) {
    if (!this.course || e.ctrlKey || e.altKey || e.metaKey || /^(SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (e.key === " " && e.target.closest("button, summary, input")) return;
    const does = {
      ",": () => this.go(this.at - 1), ".": () => this.go(this.at + 1), "[": () => this.go(this.at - 1), "]": () => this.go(this.at + 1),
      f: () => this.go(0), l: () => this.go(this.end), " ": () => this.play(), Escape: () => this.open(""),
    }[e.key];
    if (does) { e.preventDefault(); does(); }
  }
}
