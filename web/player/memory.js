// A stream of keys and memories that write by different rules: what each key retrieves, what was written and why.
"use strict";

worlds.memory = (() => {
  const kindColours = { known: "#d5dbe1", first: "#2f6fd0", changed: "#d98e2b", junk: "#6d28c9" };
  const why = { known: "known", first: "a new key", changed: "a new value", junk: "a key that never returns" };
  const wroteColour = "#d32f2f", quietColour = "#b4bfca", rightColour = "#1f8a5b", mostSurprise = 2;
  const valueColour = (value) => (value < 0 ? "#f2f4f6" : `hsl(${(value * 137.5) % 360} 62% ${48 + (value % 3) * 9}%)`);

  class View {
    constructor(episode, agent) {
      this.episode = episode;
      this.agent = agent;
      this.canvas = new Canvas("ground", () => 146);
      this.nodes = [this.canvas.node];
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), step = Math.min(Math.floor(time), this.agent.depth.length - 1);
      this.drawKeys(pen, step);
      this.drawSentence(pen, step);
    }

    drawKeys(pen, step) {
      const values = this.episode.values[step], answers = this.agent.answers[step], now = this.episode.key[step];
      const wide = this.canvas.width / values.length, size = Math.min(wide - 3, 22);
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = "#66727f";
      pen.textAlign = "left";
      pen.fillText("last shown, by key", 0, 11);
      pen.fillText("what the memory answers", 0, 57);
      values.forEach((value, key) => {
        const x = key * wide;
        pen.fillStyle = valueColour(value);
        pen.fillRect(x, 17, size, size);
        pen.fillStyle = valueColour(value < 0 ? -1 : answers[key]);
        pen.fillRect(x, 63, size, size);
        if (value >= 0 && answers[key] !== value) {
          pen.strokeStyle = wroteColour;
          pen.lineWidth = 2;
          pen.strokeRect(x + 1, 64, size - 2, size - 2);
        }
        if (key !== now) return;
        pen.fillStyle = "#1f2933";
        pen.fillRect(x, 43, size, 3);
      });
    }

    drawSentence(pen, step) {
      const { kind } = this.episode, { depth, surprise, threshold } = this.agent;
      const limit = threshold[step] > 0 ? `, may write above ${shownNumber(threshold[step])}` : "";
      pen.font = "12px system-ui, sans-serif";
      pen.textAlign = "left";
      pen.fillStyle = "#1f2933";
      pen.fillText(`step ${step}: ${why[kind[step]]}`, 0, 104);
      pen.fillText(`surprise ${shownNumber(surprise[step])}${limit}`, 0, 121);
      pen.fillStyle = depth[step] > 0 ? wroteColour : "#66727f";
      pen.fillText(depth[step] > 0 ? "written" : "not written", 0, 138);
    }
  }

  const stream = {
    label: "what the stream shows",
    height: 12,
    value: () => "",
    draw(pen, box, agent, x) {
      stream.kind.forEach((kind, step) => {
        pen.fillStyle = kindColours[kind];
        pen.fillRect(x(step), box.top, Math.max(0.8, x(step + 1) - x(step)), box.height);
      });
    },
  };

  const surprise = {
    label: "surprise; red: written",
    height: 54,
    value: (agent) => `${(100 * agent.share).toFixed(1)} % write`,
    draw(pen, box, agent, x) {
      const y = (v) => box.bottom - (clamp(v, 0, mostSurprise) / mostSurprise) * box.height;
      agent.surprise.forEach((v, step) => {
        const wrote = agent.depth[step] > 0;
        pen.fillStyle = wrote ? wroteColour : quietColour;
        pen.fillRect(x(step), y(v), Math.max(wrote ? 1.2 : 0.8, x(step + 1) - x(step)), box.bottom - y(v));
      });
      if (agent.threshold.some((v) => v > 0)) drawLine(pen, box, agent.threshold, x, y, "#1f2933", 1);
    },
  };

  const tokens = {
    label: "budget: writes saved up",
    height: 22,
    value: (agent, step) => (agent.tokens.some((v) => v > 0) ? shownNumber(agent.tokens[step]) : "no budget"),
    draw(pen, box, agent, x) {
      const most = Math.max(1, ...agent.tokens);
      if (agent.tokens.some((v) => v > 0)) drawLine(pen, box, agent.tokens, x, (v) => box.bottom - (v / most) * (box.height - 2), "#0f8b8d");
    },
  };

  const answers = {
    label: "known keys; red: recalled wrong",
    height: 14,
    value: () => "",
    draw(pen, box, agent, x) {
      stream.kind.forEach((kind, step) => {
        if (kind !== "known") return;
        pen.fillStyle = agent.violation[step] ? wroteColour : rightColour;
        pen.fillRect(x(step), box.top, Math.max(0.8, x(step + 1) - x(step)), box.height);
      });
    },
  };

  return {
    done: "recalled",
    outcome: (agent) => `${(100 * agent.recalled).toFixed(1)} % recalled`,
    depth: false,
    violations: "recalled wrong",
    pace: 20,
    hint: "Click into a strip to go to a step.",
    toggles: {},
    key: [[wroteColour, "written"], [quietColour, "not written"], ...Object.entries(kindColours).map(([kind, colour]) => [colour, why[kind]])],
    marks: (episode) => {
      const first = episode.kind.indexOf("changed");
      return first < 0 ? [] : [{ at: first, text: "first change of a value", main: true }];
    },
    strips: (episode) => {
      stream.kind = episode.kind;
      return [stream, surprise, tokens, answers];
    },
    view: (episode, agent) => new View(episode, agent),
  };
})();
