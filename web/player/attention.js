// A prompt and the heads of a Transformer: what each query reads, heads by mode over time, cost against accuracy.
"use strict";

worlds.attention = (() => {
  const readColour = [47, 111, 208], fullColour = "#6d28c9", streamColour = "#b4bfca", chosenColour = "#2f6fd0";
  const kindColours = { instruction: "#d98e2b", needle: "#d32f2f", record: "#1f8a5b", query: "#1f2933" };
  const rowHeight = 15, left = 58;

  const weightOf = (letter) => (letter === "a" ? 1 : Number(letter) / 10);

  // 2: everything before the query was read, 1: blocks in between were chosen, 0: sink and window alone
  function modeOf(cells) {
    if (!cells.includes("-")) return 2;
    return /-+[0-9a]+-/.test(cells.slice(1, -2)) || /^[0-9a]-*[0-9a]+-/.test(cells.slice(0, -2)) ? 1 : 0;
  }

  class View {
    constructor(episode, agent) {
      this.episode = episode;
      this.agent = agent;
      this.rows = agent.heads.length;
      this.modes = agent.heads.map((head) => head.map(modeOf));
      this.canvas = new Canvas("ground", () => 30 + 2 * (this.rows * rowHeight + 34) + 120);
      this.nodes = [this.canvas.node];
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), step = Math.min(Math.floor(time), this.agent.depth.length - 1);
      let top = this.drawPrompt(pen, step);
      top = this.drawReading(pen, step, top);
      top = this.drawModes(pen, step, top);
      this.drawCost(pen, top);
    }

    x(step) {
      return left + (step / this.agent.depth.length) * (this.canvas.width - left);
    }

    label(pen, text, top) {
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = "#66727f";
      pen.textAlign = "left";
      pen.fillText(text, 0, top);
    }

    drawPrompt(pen, step) {
      this.label(pen, "prompt", 18);
      this.episode.kind.forEach((kind, t) => {
        pen.fillStyle = kindColours[kind] || "#e3e8ed";
        pen.fillRect(this.x(t), kind ? 8 : 11, Math.max(1, this.x(t + 1) - this.x(t) - 0.4), kind ? 12 : 6);
      });
      pen.fillStyle = "#1f2933";
      pen.fillRect(this.x(step), 5, 1.5, 18);
      return 30;
    }

    rowName(pen, row, y) {
      const heads = this.rows / this.agent.layers;
      pen.font = "10px system-ui, sans-serif";
      pen.fillStyle = "#66727f";
      pen.textAlign = "left";
      pen.fillText(`${Math.floor(row / heads) + 1}, head ${(row % heads) + 1}`, 0, y + 11);
    }

    drawReading(pen, step, top) {
      this.label(pen, `what query ${step} reads: layer, head × blocks of ${this.episode.block} keys`, top + 12);
      const blocks = Math.ceil(this.agent.depth.length / this.episode.block), wide = (this.canvas.width - left) / blocks;
      this.agent.heads.forEach((head, row) => {
        const y = top + 18 + row * rowHeight;
        this.rowName(pen, row, y);
        for (let b = 0; b < blocks; ++b) {
          const letter = head[step][b], read = letter !== undefined && letter !== "-";
          pen.fillStyle = read ? `rgb(${readColour.join(" ")} / ${8 + 92 * weightOf(letter)}%)` : letter ? "#eef1f4" : "#fafbfc";
          pen.fillRect(left + b * wide + 0.5, y, wide - 1, rowHeight - 2);
          if (!read) continue;
          pen.strokeStyle = chosenColour;
          pen.lineWidth = 0.8;
          pen.strokeRect(left + b * wide + 0.9, y + 0.4, wide - 1.8, rowHeight - 2.8);
        }
      });
      return top + 18 + this.rows * rowHeight + 6;
    }

    drawModes(pen, step, top) {
      this.label(pen, "heads by mode over time", top + 12);
      this.modes.forEach((modes, row) => {
        const y = top + 18 + row * rowHeight;
        this.rowName(pen, row, y);
        modes.forEach((mode, t) => {
          pen.fillStyle = [streamColour, chosenColour, fullColour][mode];
          pen.fillRect(this.x(t), y, this.x(t + 1) - this.x(t) + 0.4, rowHeight - 2);
        });
      });
      pen.fillStyle = "#1f2933";
      pen.fillRect(this.x(step), top + 16, 1.5, this.rows * rowHeight);
      return top + 18 + this.rows * rowHeight + 8;
    }

    drawCost(pen, top) {
      const height = 92, width = Math.min(220, this.canvas.width - left), bottom = top + 10 + height;
      this.label(pen, "cost", top + 12);
      pen.strokeStyle = "#d5dbe1";
      pen.lineWidth = 1;
      pen.strokeRect(left, top + 10, width, height);
      for (const other of this.episode.agents) {
        const own = other === this.agent, x = left + 8 + clamp(other.share, 0, 1) * (width - 60), y = bottom - 8 - other.accuracy * (height - 20);
        pen.fillStyle = own ? "#d98e2b" : "#9aa6b2";
        pen.beginPath();
        pen.arc(x, y, own ? 5 : 3.5, 0, 2 * Math.PI);
        pen.fill();
        pen.font = own ? "600 10px system-ui, sans-serif" : "10px system-ui, sans-serif";
        pen.fillText(other.name, x + 7, y + 3);
      }
      this.label(pen, `accuracy ${this.agent.accuracy.toFixed(2)} at ${(100 * this.agent.share).toFixed(0)} % of the blocks`, bottom + 14);
    }
  }

  const answers = {
    label: "answers",
    height: 16,
    value: (agent, step) => (agent.answer[step] < 0 ? "" : agent.violation[step] ? "wrong" : "right"),
    draw(pen, box, agent, x) {
      agent.answer.forEach((answer, step) => {
        if (answer < 0) return;
        pen.fillStyle = agent.violation[step] ? "#d32f2f" : "#1f8a5b";
        pen.fillRect(x(step), box.top, Math.max(1, x(step + 1) - x(step) - 0.5), box.height);
      });
    },
  };

  return {
    done: "answered",
    depth: false,
    violations: "answered wrong",
    violated: ["query", "queries"],
    pace: 20,
    hint: "The last twelve steps are queries.",
    toggles: {},
    key: [[fullColour, "reads everything"], [chosenColour, "sink, window and chosen blocks"], [streamColour, "sink and window"],
      ...Object.entries(kindColours).map(([kind, colour]) => [colour, kind])],
    marks: (episode) => [
      { at: episode.kind.indexOf("instruction"), text: "instruction", main: true },
      { at: episode.kind.indexOf("query"), text: "queries" },
    ],
    strips: () => [answers],
    view: (episode, agent) => new View(episode, agent),
  };
})();
