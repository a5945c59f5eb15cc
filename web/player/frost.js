// A recursion over cells: the frontier of answers, the size of h, and the iteration that gave each cell its last answer.
"use strict";

worlds.frost = (() => {
  const wallColour = "#39434d", emptyColour = "#eef1f4", startColour = "#d98e2b", wrongColour = "#d32f2f";
  const gap = 14;

  class View {
    constructor(episode, agent) {
      this.episode = episode;
      this.agent = agent;
      this.canvas = new Canvas("ground", () => (episode.task === "grid" ? 2 : 1) * this.height() + 40 + (episode.task === "grid" ? 0 : this.height()));
      this.nodes = [this.canvas.node];
    }

    height() {
      return this.episode.task === "grid" ? (this.canvas ? this.canvas.width : 260) : 34;
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), step = Math.min(Math.floor(time), this.agent.classes.length - 1);
      const size = this.canvas.width / this.episode.cols, high = size * this.episode.rows;
      this.label(pen, "answers so far; darker: larger h", 11);
      this.drawCells(pen, 16, size, (i) => this.answerColour(i, step), step);
      this.label(pen, "iteration of the last answer", 16 + high + gap + 11);
      this.drawCells(pen, 16 + high + gap + 16, size, (i) => this.settledColour(i, step), step);
    }

    label(pen, text, top) {
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = "#66727f";
      pen.textAlign = "left";
      pen.fillText(text, 0, top);
    }

    isWall(i) {
      return this.episode.task === "grid" && this.episode.free[i] === "0";
    }

    answerColour(i, step) {
      const level = Number(this.agent.level[step][i]) / 9;
      if (this.agent.classes[step][i] === "1") return `rgb(47 111 208 / ${35 + 65 * level}%)`;
      return this.episode.task === "parity" && this.episode.free[i] === "1" ? "#dfe5ea" : emptyColour;
    }

    settledColour(i, step) {
      const at = this.agent.settled[i];
      if (at === 0 || at > step + 1) return emptyColour;
      const share = at / this.agent.classes.length;
      return `rgb(${Math.round(31 + 170 * share)} ${Math.round(138 - 60 * share)} ${Math.round(91 + 20 * share)})`;
    }

    drawCells(pen, top, size, colour, step) {
      for (let i = 0; i < this.episode.free.length; ++i) {
        const x = (i % this.episode.cols) * size, y = top + Math.floor(i / this.episode.cols) * size;
        pen.fillStyle = this.isWall(i) ? wallColour : colour(i);
        pen.fillRect(x + 0.5, y + 0.5, size - 1, size - 1);
        if (this.episode.start[i] === "1") {
          pen.strokeStyle = startColour;
          pen.lineWidth = 2;
          pen.strokeRect(x + 2, y + 2, size - 4, size - 4);
        }
        const last = step === this.agent.classes.length - 1;
        if (last && this.agent.classes[step][i] !== this.episode.labels[i]) {
          pen.strokeStyle = wrongColour;
          pen.lineWidth = 2;
          pen.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
        }
      }
    }
  }

  const bound = {
    label: "bound",
    height: 16,
    value: (agent, step) => (agent.after[step] === null ? "" : agent.after[step].toPrecision(2)),
    draw(pen, box, agent, x) {
      const most = Math.log(Math.max(...agent.after.map((b) => b || 1e-6))), least = Math.log(1e-3);
      agent.after.forEach((b, step) => {
        const share = clamp((Math.log(Math.max(b || 1e-6, 1e-3)) - least) / Math.max(most - least, 1e-6), 0, 1);
        pen.fillStyle = agent.certified && step === agent.after.length - 1 ? "#1f8a5b" : "#6aa9e9";
        pen.fillRect(x(step), box.top + box.height * (1 - share), Math.max(1, x(step + 1) - x(step) - 0.5), Math.max(1, box.height * share));
      });
    },
  };

  return {
    done: "all cells right",
    depth: false,
    violations: "wrong at the end",
    violated: ["cell", "cells"],
    pace: 8,
    hint: "A step is an iteration of the same map. The green bar is the certificate.",
    toggles: {},
    key: [["#2f6fd0", "answer 1"], [emptyColour, "answer 0"], [wallColour, "wall"], [startColour, "start"], [wrongColour, "wrong at the end"]],
    marks: () => [],
    strips: () => [bound],
    view: (episode, agent) => new View(episode, agent),
  };
})();
