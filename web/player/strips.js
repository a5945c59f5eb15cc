// Strips under a panel: one value a step. K, the trust radius and the loss, which most worlds have, are here.
"use strict";

// A strip is { label, height, draw(pen, box, agent, x) }.
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

// how K and the trust radius, which every world has, are shown
const depthStrip = {
  label: "K, micro-steps",
  height: 22,
  value: (agent, step) => `${agent.depth[step]}`,
  draw(pen, box, agent, x) {
    pen.fillStyle = "#d32f2f";  // steps that broke a constraint, along the top
    agent.violation.forEach((broken, step) => broken && pen.fillRect(x(step), box.top, Math.max(1.5, x(step + 1) - x(step)), 3));
    agent.depth.forEach((k, step) => {
      if (k === 0) return;
      const height = (Math.min(k, 3) / 3) * box.height;
      pen.fillStyle = depthColour(k);
      pen.fillRect(x(step), box.bottom - height, Math.max(1, x(step + 1) - x(step) - 0.5), height);
    });
  },
};

// on the agent's own scale: a radius is a length in what the agent corrects, a latent or a plan
function radiusStrip() {
  return {
    label: "trust radius ρ",
    height: 26,
    value: (agent, step) => (agent.radius[step] > 0 ? shownNumber(agent.radius[step]) : "none"),
    draw(pen, box, agent, x) {
      if (!agent.radius.some((v) => v > 0)) return;
      const most = largest([agent], ["radius"]);
      drawLine(pen, box, agent.radius, x, (v) => box.bottom - (v / most) * (box.height - 2), "#0f8b8d");
    },
  };
}

// loss on a logarithmic scale of so many decades: what was proposed, and what was kept
function lossStrip(agents, { label, decades, none }) {
  const most = largest(agents, ["before", "after"]), least = most * 10 ** -decades;
  const judged = (agent) => agent.before.some((v) => v > 0);  // else it corrects nothing
  const share = (v) => Math.log(clamp(v, least, most) / least) / Math.log(most / least);
  return {
    label,
    height: 40,
    value: (agent, step) => (judged(agent) ? `${shownNumber(agent.before[step])} → ${shownNumber(agent.after[step])}` : none),
    draw(pen, box, agent, x) {
      if (!judged(agent)) return;
      const y = (v) => box.bottom - share(v) * (box.height - 2);
      drawLine(pen, box, agent.before, x, y, "#b9a07c", 1.1);
      drawLine(pen, box, agent.after, x, y, "#2f6fd0", 1.5);
    },
  };
}
