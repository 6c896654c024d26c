// An album: the same board, its course and figures in the file itself.
import { Board } from "./board.js";

let whole = null;

const source = {
  figures: true,

  async load() {
    const packed = Uint8Array.from(atob(document.getElementById("figures").textContent), (each) => each.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    whole = await new Response(stream).json();
    return JSON.parse(document.getElementById("course").textContent);
  },

  async figure(number, name, palette, figure) {
    const shown = whole.shown[figure];
    if (!shown) throw new Error("This album has no such view.");
    const text = whole.drawn[shown[number]].map((each) => whole.pieces[each]).join("");
    return document.importNode(new DOMParser().parseFromString(text, "application/xhtml+xml").documentElement, true);
  },
};

for (const id of ["palette", "companies"]) document.getElementById(id).parentNode.hidden = true;
new Board(source).start().catch((error) => { document.getElementById("status").textContent = error.message; });
