// The player: time, controls, panels and their strips. What a world looks like is in worlds[...], a file each.
//
// A world is { setup(episode), panels, strips(episode), marks(episode), toggles, key }, and makes for each agent a
// view: an object with draw(time). Time is a real number: between two steps things are drawn in between.
"use strict";

const worlds = {};

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

  // whose words have room, the main ones first: else they would lie upon each other
  namedMarks() {
    const named = [];
    for (const mark of [...this.marks].sort((a, b) => Boolean(b.main) - Boolean(a.main))) {
      if (named.every((other) => Math.abs(other.at - mark.at) > 0.15 * this.steps)) named.push(mark);
    }
    return new Set(named);
  }

  build() {
    const episode = this.episode;
    document.title = `Elastane: ${episode.title}`;
    this.button = element("button", { id: "play", onclick: () => this.toggle() });
    this.scrubber = element("input", { type: "range", min: 0, max: this.steps, step: 0.05, value: 0 });
    this.scrubber.setAttribute("aria-label", "step");
    this.scrubber.addEventListener("input", () => this.seek(Number(this.scrubber.value)));
    const scrub = element("div", { className: "scrub" }, this.scrubber);
    const named = this.namedMarks();
    for (const mark of this.marks) {
      const share = mark.at / this.steps;
      const flag = element("span", { className: "mark", textContent: named.has(mark) ? mark.text : "\u00a0", title: mark.text });
      flag.style.left = `calc(8px + (100% - 16px) * ${share})`;
      flag.style.setProperty("--anchor", share < 0.07 ? "0%" : share > 0.93 ? "100%" : "50%");
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
      element("p", { className: "summary", textContent: episode.story }),
      controls, panels, this.buildKey(), this.buildFooter());
    const strips = this.world.strips(episode);
    this.views = episode.agents.map((agent) => {
      const view = this.world.view(episode, agent, this), below = new Strips(agent, strips, this);
      panels.append(element("section", { className: "panel" }, ...this.heading(agent), ...view.nodes, below.canvas.node));
      return { draw: (time) => (view.draw(Math.min(time, agent.depth.length)), below.draw(Math.min(time, agent.depth.length))) };
    });
  }

  heading(agent) {
    const ended = agent.success ? `${this.world.done} in ${agent.steps} steps` : `failed`;
    const outcome = this.world.outcome ? this.world.outcome(agent) : ended;
    const chip = element("span", { className: `chip ${agent.success ? "good" : "bad"}`, textContent: outcome });
    const [one, many] = this.world.violated ?? ["step", "steps"];
    const violations = agent.violations > 0 ? ` · ${agent.violations} ${agent.violations === 1 ? one : many} ${this.world.violations}` : "";
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
    const depths = this.world.depth === false ? [] : depthColours;  // a world without micro-steps
    depths.forEach((colour, k) => add(colour, k === 0 ? "K = 0: left alone" : k < 3 ? `K = ${k}` : "K ≥ 3"));
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
