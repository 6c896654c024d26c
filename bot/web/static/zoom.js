// Pan and zoom by the viewBox, so letters stay sharp: drag, pinch, wheel, double tap, keys. A tap is not a drag.
const MOST = 12, DRAG = 6, TWICE = 350;

export class Zoom {
  constructor(stage, tapped) {
    Object.assign(this, { stage, tapped, points: new Map(), svg: null, moved: 0, last: 0 });
    stage.addEventListener("pointerdown", (e) => this.press(e));
    stage.addEventListener("pointermove", (e) => this.drag(e));
    for (const kind of ["pointerup", "pointercancel"]) stage.addEventListener(kind, (e) => this.release(e));
    stage.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    stage.addEventListener("keydown", (e) => this.key(e));
  }

  take(svg, keep) { // another picture; the view stays where it is another position of the same
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const same = keep && this.view && Math.abs(width / height - this.width / this.height) < 0.2;
    const share = same ? this.view.map((each, k) => each / (k % 2 ? this.height : this.width)) : [0, 0, 1, 1];
    Object.assign(this, { svg, width, height });
    this.view = share.map((each, k) => each * (k % 2 ? height : width));
    svg.setAttribute("tabindex", "0");
    this.draw();
  }

  get level() { return this.width / this.view[2]; }

  unit() { // picture units to a pixel of the screen
    const box = this.svg.getBoundingClientRect();
    return Math.max(this.view[2] / box.width, this.view[3] / box.height);
  }

  find(x, y) {
    const at = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  scale(times, x, y) { // about a point of the screen
    const level = Math.min(MOST, Math.max(1, this.level * times)), [px, py] = this.find(x, y);
    const part = this.width / level / this.view[2];
    this.view = [px - (px - this.view[0]) * part, py - (py - this.view[1]) * part, this.width / level, this.height / level];
    this.draw();
  }

  shift(dx, dy) { this.view[0] -= dx; this.view[1] -= dy; this.draw(); }

  draw() {
    const [, , w, h] = this.view;
    this.view[0] = Math.min(Math.max(this.view[0], 0), this.width - w);
    this.view[1] = Math.min(Math.max(this.view[1], 0), this.height - h);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.svg.setAttribute("viewBox", this.view.map((each) => each.toFixed(3)).join(" "));
      const pixels = 1 / this.unit() * this.width; // as wide as the whole would be
      this.stage.dataset.near = pixels > 1900 ? "near" : pixels > 700 ? "mid" : "far";
      this.stage.classList.toggle("zoomed", this.level > 1.01);
    });
  }

  press(e) {
    if (!this.svg || !this.svg.contains(e.target)) return;
    if (!this.points.size) this.moved = 0;
    this.points.set(e.pointerId, [e.clientX, e.clientY]);
  }

  drag(e) {
    const before = this.points.get(e.pointerId);
    if (!before) return;
    const now = [e.clientX, e.clientY], others = [...this.points].filter(([id]) => id !== e.pointerId);
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (this.moved < DRAG) return;
    if (!this.stage.hasPointerCapture(e.pointerId)) this.stage.setPointerCapture(e.pointerId);
    this.points.set(e.pointerId, now);
    const unit = this.unit();
    if (others.length) {
      const [, [x, y]] = others[0], far = ([a, b]) => Math.hypot(a - x, b - y);
      this.scale(far(now) / (far(before) || 1), (now[0] + x) / 2, (now[1] + y) / 2);
      this.shift((now[0] - before[0]) / 2 * unit, (now[1] - before[1]) / 2 * unit);
    } else if (this.level > 1.01) this.shift((now[0] - before[0]) * unit, (now[1] - before[1]) * unit);
  }

  release(e) {
    if (!this.points.delete(e.pointerId) || this.moved >= DRAG || e.type === "pointercancel") return;
    const twice = e.timeStamp - this.last < TWICE;
    this.last = twice ? 0 : e.timeStamp;
    if (twice) this.level > 2.4 ? this.reset() : this.scale(2.5, e.clientX, e.clientY);
    else this.tapped(e.target);
  }

  wheel(e) {
    if (!this.svg || !this.svg.contains(e.target) || !(e.ctrlKey || this.level > 1.01 || e.deltaY < 0)) return;
    e.preventDefault();
    this.scale(Math.exp(-e.deltaY / 400), e.clientX, e.clientY);
  }

  reset() { this.view = [0, 0, this.width, this.height]; this.draw(); }

  key(e) {
    if (e.target !== this.svg || e.ctrlKey || e.altKey || e.metaKey) return;
    const box = this.svg.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2, far = this.view[2] / 8;
    const does = {
      "+": () => this.scale(1.4, x, y), "=": () => this.scale(1.4, x, y), "-": () => this.scale(1 / 1.4, x, y), 0: () => this.reset(),
      ArrowLeft: () => this.shift(far, 0), ArrowRight: () => this.shift(-far, 0),
      ArrowUp: () => this.shift(0, far), ArrowDown: () => this.shift(0, -far),
    }[e.key];
    if (does) { e.preventDefault(); does(); }
  }
}
