// A table's page: figures come from the bot as documents, never as text that is read as markup; moves as events.
import { Board } from "./board.js";

const FIRST_MS = 4000, LAST_MS = 300000, BUSY = [429, 503];
const ENDED = "This address no longer works: it was renewed, ended or turned off. Ask for the board again at your table.";
const WORDS = { 404: "This view isn’t there; try another one.", 410: "That moment was taken back.", 429: "The bot is busy; trying again.", 503: "The bot is busy; trying again." };

const source = {
  async load() {
    const answer = await fetch("moves.json");
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  },

  figure(number, name, palette, figure, signal) {
    return new Promise((done, fail) => {
      const request = new XMLHttpRequest();
      request.open("GET", `at/${number}-${name}/${palette}/${encodeURIComponent(figure)}`);
      request.responseType = "document";
      request.onload = () => {
        if (request.status === 200 && request.response) done(document.importNode(request.response.documentElement, true));
        else fail(Object.assign(new Error(WORDS[request.status] || "This view isn’t there; try another one."), { busy: BUSY.includes(request.status) }));
      };
      request.onerror = () => fail(new Error("No connection; trying again with the next move."));
      request.onabort = () => fail(new DOMException("", "AbortError"));
      signal?.addEventListener("abort", () => request.abort());
      request.send();
    });
  },

  follow(board) { // one stream while the page is seen; its address may end, and the bot may be busy or away
    let stream = null, timer = 0, wait = FIRST_MS;
    const open = () => {
      clearTimeout(timer);
      stream?.close();
      stream = new EventSource(`live?since=${board.course.moves[board.end][0]}`);
      stream.addEventListener("move", (e) => this.hear(board, JSON.parse(e.data)));
      stream.onopen = () => { wait = FIRST_MS; document.body.classList.remove("lost"); };
      stream.onerror = () => {
        document.body.classList.add("lost");
        if (stream.readyState === EventSource.CLOSED) again(); // it was refused; else the browser tries again
      };
    };
    const again = async () => {
      const answer = await fetch("moves.json", { method: "HEAD" }).catch(() => null);
      if (answer?.status === 404) return end();
      clearTimeout(timer);
      timer = setTimeout(() => document.hidden || open(), wait * (0.5 + Math.random()));
      wait = Math.min(2 * wait, LAST_MS);
    };
    const end = () => {
      document.removeEventListener("visibilitychange", turn);
      document.body.classList.remove("lost");
      document.body.classList.add("ended");
      board.finish(ENDED);
    };
    const turn = () => { // browsers allow few lines to one server
      clearTimeout(timer);
      stream?.close();
      if (!document.hidden) open();
    };
    document.addEventListener("visibilitychange", turn);
    open();
  },

  async hear(board, { number, move, before, over, wait }) {
    await new Promise((done) => setTimeout(done, Math.random() * wait));
    const moves = board.course.moves;
    if (number === moves.length && before === moves[number - 1][0] && !over) board.add(move);
    else if (moves[number]?.[0] !== move[0] || number !== board.end) board.take(await this.load());
  },
};

new Board(source).start().catch((error) => { document.getElementById("status").textContent = error.message; });
