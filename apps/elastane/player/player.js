// The player: time, controls, panels and their strips. What a world looks like is in worlds[...], a file each.
//
// A world is { setup(episode), panels, strips(episode), marks(episode), toggles, key }, and makes for each agent a
// view: an object with draw(time). Time is a real number: between two steps things are drawn in between.
"use strict";

const worlds = {};

// how much was spent on a step: K = 0, 1, 2, 3 and more
const depthColours = ["#b4bfca", "#6aa9e9", "#2f6fd0", "#6d28c9"];
const depthColour = (k) => depthColours[Math.min(k, depthColours.length - 1)];

const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
const mix = (a, b, share) => a + (b - a) * share;

function element(kind, properties = {}, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

// a canvas whose drawing is in CSS pixels, sharp on every screen; `aspect` is height over width
class Canvas {
  constructor(className, aspect) {
    this.node = element("canvas", { className });
    this.aspect = aspect;
    this.width = this.height = 0;
  }

  // returns true if the size changed
  fit() {
    const width = this.node.clientWidth, dense = window.devicePixelRatio || 1;
    const height = typeof this.aspect === "function" ? this.aspect(width) : Math.round(width * this.aspect);
    if (width === this.width && height === this.height && dense === this.dense) return false;
    Object.assign(this, { width, height, dense });
    this.node.width = Math.round(width * dense);
    this.node.height = Math.round(height * dense);
    this.node.style.height = `${height}px`;
    return true;
  }

  begin() {
    const pen = this.node.getContext("2d");
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }
}

// largest finite value of some columns, over all agents, so that panels can be compared
function largest(agents, columns) {
  let most = 0;
  for (const agent of agents) {
    for (const name of columns) {
      for (const v of agent[name] || []) if (Number.isFinite(v)) most = Math.max(most, v);
    }
  }
  return most || 1;
}

// Strips under a panel: one value a step. A strip is { label, height, draw(pen, box, agent, x) }.
class Strips {
  constructor(agent, strips, player) {
    this.agent = agent;
    this.strips = strips;
    this.player = player;
    this.canvas = new Canvas("strip", () => strips.reduce((sum, s) => sum + s.height + 17, 2));
    const seek = (event) => {
      const box = this.canvas.node.getBoundingClientRect();
      player.seek(((event.clientX - box.left) / box.width) * player.steps);
    };
    this.canvas.node.addEventListener("pointerdown", (event) => {
      this.canvas.node.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.node.addEventListener("pointermove", (event) => event.buttons && seek(event));
  }

  draw(time) {
    this.canvas.fit();
    const pen = this.canvas.begin(), width = this.canvas.width, steps = this.player.steps;
    const x = (step) => (step / steps) * width;
    let top = 0;
    pen.font = "11px system-ui, sans-serif";
    for (const strip of this.strips) {
      pen.fillStyle = "#66727f";
      pen.textAlign = "left";
      pen.fillText(strip.label, 0, top + 11);
      const shown = strip.value ? strip.value(this.agent, Math.min(Math.floor(time), this.agent.depth.length - 1)) : "";
      pen.textAlign = "right";
      pen.fillText(shown, width, top + 11);
      const box = { top: top + 15, bottom: top + 15 + strip.height, height: strip.height, width };
      pen.fillStyle = "#f6f8fa";
      pen.fillRect(0, box.top, width, box.height);
      strip.draw(pen, box, this.agent, x);
      this.drawTimes(pen, box, x, time);
      top += strip.height + 17;
    }
  }

  // when the world changed, and now; not across the labels
  drawTimes(pen, box, x, time) {
    pen.fillStyle = "#1f2933";
    pen.fillRect(x(time) - 0.75, box.top, 1.5, box.height);
    pen.strokeStyle = "#d98e2b";
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    for (const mark of this.player.marks) {
      pen.moveTo(x(mark.at), box.top);
      pen.lineTo(x(mark.at), box.bottom);
    }
    pen.stroke();
    pen.setLineDash([]);
  }
}

// a line through one value a step
function drawLine(pen, box, values, x, y, colour, width = 1.4) {
  pen.beginPath();
  let down = false;
  values.forEach((v, step) => {
    if (!Number.isFinite(v)) return void (down = false);
    const px = x(step + 0.5), py = clamp(y(v), box.top, box.bottom);
    if (down) pen.lineTo(px, py);
    else pen.moveTo(px, py);
    down = true;
  });
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}

function shownNumber(v) {
  if (!Number.isFinite(v)) return "";
  const size = Math.abs(v);
  if (size >= 10 && size < 1e5) return v.toFixed(0);
  return size === 0 ? "0" : size >= 1e5 || size < 0.001 ? v.toExponential(1) : v.toPrecision(2);
}

// how K and the trust radius, which every world has, are shown
const depthStrip = {
  label: "K, micro-steps",
  height: 22,
  value: (agent, step) => `${agent.depth[step]}`,
  draw(pen, box, agent, x) {
    agent.depth.forEach((k, step) => {
      if (k === 0) return;
      const height = (Math.min(k, 3) / 3) * box.height;
      pen.fillStyle = depthColour(k);
      pen.fillRect(x(step), box.bottom - height, Math.max(1, x(step + 1) - x(step) - 0.5), height);
    });
  },
};

function radiusStrip(agents) {
  const most = largest(agents, ["radius"]);
  return {
    label: "trust radius ρ",
    height: 26,
    value: (agent, step) => (agent.radius[step] > 0 ? shownNumber(agent.radius[step]) : "none"),
    draw(pen, box, agent, x) {
      if (!agent.radius.some((v) => v > 0)) return;
      drawLine(pen, box, agent.radius, x, (v) => box.bottom - (v / most) * (box.height - 2), "#0f8b8d");
    },
  };
}

class Player {
  constructor(episode) {
    this.episode = episode;
    this.world = worlds[episode.world];
    this.steps = Math.max(1, ...episode.agents.map((agent) => agent.depth.length));
    this.marks = this.world.marks(episode);
    this.time = 0;
    this.speed = 1;
    this.playing = false;
    this.toggles = {};
    this.build();
    this.listen();
    this.seek(this.startTime());
  }

  // a page may be opened at a step: page.html#120
  startTime() {
    const asked = Number(window.location.hash.slice(1));
    return Number.isFinite(asked) ? clamp(asked, 0, this.steps) : 0;
  }

  build() {
    const episode = this.episode;
    document.title = `Elastane: ${episode.title}`;
    this.button = element("button", { id: "play", onclick: () => this.toggle() });
    this.scrubber = element("input", { type: "range", min: 0, max: this.steps, step: 0.05, value: 0 });
    this.scrubber.setAttribute("aria-label", "step");
    this.scrubber.addEventListener("input", () => this.seek(Number(this.scrubber.value)));
    const scrub = element("div", { className: "scrub" }, this.scrubber);
    for (const mark of this.marks) {
      const flag = element("span", { className: "mark", textContent: mark.text });
      flag.style.left = `calc(8px + (100% - 16px) * ${mark.at / this.steps})`;
      scrub.append(flag);
    }
    this.clock = element("span", { className: "clock" });
    this.pace = element("select", { title: "speed" });
    for (const speed of [0.25, 0.5, 1, 2, 4]) {
      this.pace.append(element("option", { value: speed, textContent: `${speed} ×`, selected: speed === 1 }));
    }
    this.pace.addEventListener("change", () => (this.speed = Number(this.pace.value)));
    const controls = element("div", { className: "controls" }, this.button, scrub, this.clock, this.pace);
    for (const [name, toggle] of Object.entries(this.world.toggles)) {
      const box = element("input", { type: "checkbox", checked: toggle.on });
      this.toggles[name] = toggle.on;
      box.addEventListener("change", () => {
        this.toggles[name] = box.checked;
        this.draw();
      });
      controls.append(element("label", {}, box, ` ${toggle.label}`));
    }
    const panels = element("div", { className: "panels" });
    document.body.append(
      element("h1", { textContent: episode.title }),
      element("p", { className: "story", textContent: episode.story }),
      controls, panels, this.buildKey(), this.buildFooter());
    const strips = this.world.strips(episode);
    this.views = episode.agents.map((agent) => {
      const view = this.world.view(episode, agent, this), below = new Strips(agent, strips, this);
      panels.append(element("section", { className: "panel" }, ...this.heading(agent), ...view.nodes, below.canvas.node));
      return { draw: (time) => (view.draw(Math.min(time, agent.depth.length)), below.draw(Math.min(time, agent.depth.length))) };
    });
  }

  heading(agent) {
    const outcome = agent.success ? `${this.world.done} in ${agent.steps} steps` : `failed`;
    const chip = element("span", { className: `chip ${agent.success ? "good" : "bad"}`, textContent: outcome });
    const violations = agent.violations > 0 ? ` · ${agent.violations} ${this.world.violations}` : "";
    return [
      element("div", { className: "head" }, element("b", { textContent: agent.name }), chip),
      element("div", { className: "what", textContent: agent.what + violations }),
    ];
  }

  buildKey() {
    const key = element("div", { className: "key" });
    const add = (colour, text, dot) => {
      const sample = element("i", { className: dot ? "dot" : "" });
      sample.style.background = colour;
      key.append(element("span", {}, sample, text));
    };
    depthColours.forEach((colour, k) => add(colour, k === 0 ? "K = 0: left alone" : k < 3 ? `K = ${k}` : "K ≥ 3"));
    for (const [colour, text] of this.world.key) add(colour, text, true);
    return key;
  }

  buildFooter() {
    const footer = element("footer"), episode = this.episode;
    const keys = [["space", "plays"], ["← →", "a step"], ["shift ← →", "ten"], ["home, end", "jump"], ["+ −", "speed"]];
    keys.forEach(([name, does]) => footer.append(element("kbd", { textContent: name }), ` ${does} `));
    footer.append(element("div", { textContent: `${this.world.hint} Seed ${episode.seed}, episode ${episode.episode}.` }));
    return footer;
  }

  listen() {
    window.addEventListener("resize", () => this.draw());
    window.addEventListener("hashchange", () => this.seek(this.startTime()));
    window.addEventListener("keydown", (event) => {
      if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
      const stride = event.shiftKey ? 10 : 1, whole = Math.round(this.time);
      const does = {
        " ": () => this.toggle(),
        ArrowLeft: () => this.seek(whole - stride),
        ArrowRight: () => this.seek(whole + stride),
        Home: () => this.seek(0),
        End: () => this.seek(this.steps),
        "+": () => this.changePace(1),
        "=": () => this.changePace(1),
        "-": () => this.changePace(-1),
      }[event.key];
      if (!does) return;
      event.preventDefault();
      does();
    });
  }

  changePace(by) {
    this.pace.selectedIndex = clamp(this.pace.selectedIndex + by, 0, this.pace.options.length - 1);
    this.speed = Number(this.pace.value);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.steps) this.time = 0;
    this.last = performance.now();
    if (this.playing) requestAnimationFrame((now) => this.tick(now));
    this.draw();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = clamp((now - this.last) / 1000, 0, 0.1);  // a tab that slept does not jump, and no frame goes back
    this.last = now;
    this.time = Math.min(this.steps, this.time + passed * this.speed * this.world.pace);
    if (this.time >= this.steps) this.playing = false;
    this.draw();
    requestAnimationFrame((later) => this.tick(later));
  }

  seek(time) {
    this.time = clamp(time, 0, this.steps);
    this.draw();
  }

  draw() {
    this.scrubber.value = this.time;
    this.button.textContent = this.playing ? "❚❚ Pause" : "▶ Play";
    this.clock.textContent = `step ${Math.floor(this.time)} of ${this.steps}`;
    for (const view of this.views) view.draw(this.time);
  }
}
