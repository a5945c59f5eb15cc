// Images that a recursion classifies: the answer of every iteration below each, green where it is proven.
"use strict";

worlds.images = (() => {
  const provenColour = "#1f8a5b", openColour = "#66727f", wrongColour = "#d32f2f";
  const across = 6, lineHeight = 18;

  class View {
    constructor(episode, agent) {
      this.episode = episode;
      this.agent = agent;
      this.canvas = new Canvas("ground", () => Math.ceil(episode.pictures.length / across) * this.cell());
      this.nodes = [this.canvas.node];
    }

    cell() {
      return (this.canvas ? this.canvas.width : 260) / across + lineHeight;
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), step = Math.min(Math.floor(time), this.agent.classes.length - 1);
      this.episode.pictures.forEach((picture, i) => {
        const left = (i % across) * (this.canvas.width / across), top = Math.floor(i / across) * this.cell();
        this.drawPicture(pen, picture, left, top);
        this.drawAnswer(pen, i, step, left, top + this.cell() - lineHeight + 11);
      });
    }

    drawPicture(pen, picture, left, top) {
      const side = this.episode.side, size = (this.canvas.width / across - 6) / side;
      for (let p = 0; p < picture.length; ++p) {
        const level = 255 - 28 * Number(picture[p]);
        pen.fillStyle = `rgb(${level} ${level} ${level})`;
        pen.fillRect(left + (p % side) * size, top + Math.floor(p / side) * size, size + 0.3, size + 0.3);
      }
    }

    drawAnswer(pen, i, step, left, bottom) {
      const answer = this.agent.classes[step][i], proven = this.agent.proven[step][i] === "1";
      const wrong = answer !== this.episode.labels[i];
      pen.font = (proven ? "bold " : "") + "12px system-ui, sans-serif";
      pen.fillStyle = wrong ? wrongColour : proven ? provenColour : openColour;
      pen.textAlign = "left";
      pen.fillText(answer + (proven ? " proven" : ""), left, bottom);
    }
  }

  const busy = {
    label: "iterating",
    height: 16,
    value: (agent, step) => String(agent.depth[step]),
    draw(pen, box, agent, x) {
      const most = Math.max(1, ...agent.depth);
      agent.depth.forEach((count, step) => {
        const high = (box.height * count) / most;
        pen.fillStyle = "#6aa9e9";
        pen.fillRect(x(step), box.top + box.height - high, Math.max(1, x(step + 1) - x(step) - 0.5), high);
      });
    },
  };

  return {
    done: "all images right",
    depth: false,
    violations: "wrong at the end",
    violated: ["image", "images"],
    pace: 2,
    hint: "A step is an iteration of the same map. An image stops when its class is proven.",
    toggles: {},
    key: [[provenColour, "proven and right"], [openColour, "right so far"], [wrongColour, "wrong"]],
    marks: () => [],
    strips: () => [busy],
    view: (episode, agent) => new View(episode, agent),
  };
})();
