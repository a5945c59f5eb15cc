// A maze from above: walls, doors, how far the goal is by the walker's own map, and where it thought hard.
"use strict";

worlds.maze = (() => {
  const heatColour = (k) => (k > 0 ? `rgb(109 40 201 / ${Math.round(clamp(12 + 24 * k, 12, 90))}%)` : "rgb(0 0 0 / 0%)");

  class View {
    constructor(episode, agent, player) {
      Object.assign(this, { episode, agent, player });
      this.canvas = new Canvas("view", episode.height / episode.width);
      this.nodes = [this.canvas.node];
      this.farthest = agent.lengths.reduce((most, step) => step.reduce((a, b) => Math.max(a, b), most), 1);
      let known = [];  // a step without lengths has those of the step before
      this.lengths = agent.lengths.map((step) => (known = step.length > 0 ? step : known));
    }

    get cell() { return this.canvas.width / this.episode.width; }
    fill(pen, x, y, colour, inset = 0) {
      pen.fillStyle = colour;
      const side = this.cell - 2 * inset;
      pen.fillRect(x * this.cell + inset, y * this.cell + inset, side + 0.3, side + 0.3);
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), step = Math.min(Math.floor(time), this.agent.depth.length - 1);
      this.drawCells(pen, step);
      this.drawDoors(pen, time);
      this.drawTrail(pen, time);
      this.drawEnds(pen);
      this.drawWalker(pen, time);
    }

    drawCells(pen, step) {
      const { width, walls } = this.episode, { heat } = this.agent, { toggles } = this.player;
      walls.forEach((wall, i) => {
        const x = i % width, y = Math.floor(i / width);
        if (wall) return this.fill(pen, x, y, "#4b5663");
        this.fill(pen, x, y, "#fcfbf8");
        const length = (this.lengths[step] || [])[i];
        if (toggles.lengths && length !== undefined) {
          this.fill(pen, x, y, length < 0 ? "#f3d9d3" : `rgb(31 138 91 / ${Math.round(6 + 40 * (1 - length / this.farthest))}%)`);
        }
        if (toggles.heat && heat[i] !== null) this.fill(pen, x, y, heatColour(heat[i]));
      });
    }

    // closed: a bar; open: a frame; those that change are orange
    drawDoors(pen, time) {
      const { doors, change_at: at } = this.episode, changed = at >= 0 && time >= at;
      for (const [x, y, before, after] of doors) {
        const closed = changed ? after : before, colour = before === after ? "#8a5a2b" : "#dd9a3c";
        this.fill(pen, x, y, closed ? colour : "#fcfbf8", closed ? 0 : this.cell);
        if (closed) continue;
        pen.strokeStyle = colour;
        pen.lineWidth = Math.max(1.2, this.cell / 9);
        const inset = pen.lineWidth;
        this.fill(pen, x, y, "rgb(252 251 248 / 60%)");
        pen.strokeRect(x * this.cell + inset, y * this.cell + inset, this.cell - 2 * inset, this.cell - 2 * inset);
      }
    }

    centre([x, y]) { return [(x + 0.5) * this.cell, (y + 0.5) * this.cell]; }

    drawTrail(pen, time) {
      const { position, depth } = this.agent, whole = Math.min(Math.floor(time), depth.length);
      pen.lineCap = pen.lineJoin = "round";
      pen.beginPath();
      for (let s = 0; s <= whole; ++s) {
        // ways that were gone twice lie beside each other
        const [x, y] = this.centre(position[s]), aside = ((s % 7) - 3) * this.cell * 0.025;
        if (s === 0) pen.moveTo(x + aside, y + aside);
        else pen.lineTo(x + aside, y + aside);
      }
      pen.strokeStyle = "#8f9ba8";
      pen.lineWidth = Math.max(1.5, this.cell / 10);
      pen.stroke();
      for (let s = 0; s < whole; ++s) {
        if (depth[s] === 0) continue;
        const [x, y] = this.centre(position[s]);
        pen.beginPath();
        pen.arc(x, y, this.cell * (0.16 + 0.07 * Math.min(depth[s], 4)), 0, 2 * Math.PI);
        pen.fillStyle = depthColour(depth[s]);
        pen.fill();
      }
    }

    drawEnds(pen) {
      const ring = (cell, colour, width) => {
        const [x, y] = this.centre(cell);
        pen.beginPath();
        pen.arc(x, y, this.cell * 0.38, 0, 2 * Math.PI);
        pen.strokeStyle = colour;
        pen.lineWidth = width;
        pen.stroke();
      };
      ring(this.episode.goal, "#1f8a5b", Math.max(2.5, this.cell / 7));
      ring(this.episode.start, "#1f2933", 1.4);
    }

    drawWalker(pen, time) {
      const { position } = this.agent, whole = Math.min(Math.floor(time), position.length - 1);
      const next = Math.min(whole + 1, position.length - 1), share = time - whole;
      const [x, y] = this.centre([0, 1].map((k) => mix(position[whole][k], position[next][k], share)));
      pen.beginPath();
      pen.arc(x, y, this.cell * 0.28, 0, 2 * Math.PI);
      pen.fillStyle = "#1f2933";
      pen.fill();
      pen.lineWidth = 2;
      pen.strokeStyle = "#fff";
      pen.stroke();
    }
  }

  return {
    done: "arrived",
    violations: "into a wall",
    pace: 5,  // steps per second
    hint: "Dots: steps that were refined, larger for more micro-steps. Heat: mean K of a step at that cell, over walks from many starts.",
    toggles: { heat: { label: "heat of K", on: true }, lengths: { label: "path length to the goal on its map", on: false } },
    key: [["#8a5a2b", "closed; a frame: open"], ["#dd9a3c", "door or wall that changes"], ["#1f8a5b", "goal"]],
    marks: (episode) => (episode.change_at >= 0 ? [{ at: episode.change_at, text: "the maze changes", main: true }] : []),
    strips: (episode) => [lossStrip(episode.agents, { label: "what is wrong with the map: before, after", decades: 6, none: "no map" }), depthStrip],
    view: (episode, agent, player) => new View(episode, agent, player),
  };
})();
