// A table's page: figures come from the bot as documents, never as text that is read as markup; moves as events.
import { Board } from "./board.js";

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
        else fail(new Error(request.status === 410 ? "That moment was taken back." : "This view isn’t there; try another one."));
      };
      request.onerror = () => fail(new Error("No connection; trying again with the next move."));
      request.onabort = () => fail(new DOMException("", "AbortError"));
      signal?.addEventListener("abort", () => request.abort());
      request.send();
    });
  },

  follow(board) {
    let stream = null;
    const open = () => {
      stream = new EventSource(`live?since=${board.course.moves[board.end][0]}`);
      stream.addEventListener("move", (e) => this.hear(board, JSON.parse(e.data)));
      stream.onopen = () => document.body.classList.remove("lost");
      stream.onerror = () => {
        document.body.classList.add("lost");
        if (stream.readyState === EventSource.CLOSED) setTimeout(open, 5000);
      };
    };
    document.addEventListener("visibilitychange", () => { // browsers allow few lines to one server
      stream?.close();
      if (!document.hidden) open();
    });
    open();
  },

  async hear(board, { number, move, before, over, wait }) {
    await new Promise((done) => setTimeout(done, Math.random() * wait));
    const moves = board.course.moves;
    if (number === moves.length && before === moves[number - 1][0]) board.add(move, over);
    else if (moves[number]?.[0] !== move[0] || number !== board.end) board.take(await this.load());
  },
};

new Board(source).start().catch((error) => { document.getElementById("status").textContent = error.message; });
