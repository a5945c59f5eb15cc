// A protein that a window passes over: a tube through its residues, coloured by what was spent on each.
"use strict";

worlds.protein_loop = (() => {
  const shape = 0.78, bentColour = "#d98e2b", heat = ["#b4bfca", "#6aa9e9", "#2f6fd0", "#6d28c9"];

  // as a reader sees it who has turned it: x to the right, y up, z towards them
  function turner(yaw, pitch) {
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return ([x, y, z]) => {
      const deep = cy * z - sy * x;
      return [cy * x + sy * z, cp * y - sp * deep, sp * y + cp * deep];
    };
  }

  // micro-steps that each residue had been given by a step
  function spent(episode, agent, step) {
    const counts = new Array(episode.sequence.length).fill(0);
    for (let k = 0; k <= step && k < agent.depth.length; ++k) counts[episode.lead + k] += agent.depth[k];
    return counts;
  }

  class View {
    constructor(episode, agent, player) {
      Object.assign(this, { episode, agent, player });
      this.trace = Array.from(episode.sequence, (_, i) => i);
      this.canvas = new Canvas("view", shape);
      this.nodes = [this.canvas.node];
      letTurn(this.canvas.node, player);
    }

    project(trace) {
      const { middle, reach, zoom, yaw, pitch } = this.player, turned = turner(yaw, pitch);
      const size = (zoom * this.canvas.width) / (2.1 * reach), points = [];
      for (let i = 0; i < trace.length; i += 3) {
        const [x, y, z] = turned([0, 1, 2].map((k) => trace[i + k] - middle[k]));
        points.push([this.canvas.width / 2 + x * size, this.canvas.height / 2 - y * size, z, 1.5 * size]);
      }
      return points;
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), { episode, agent } = this;
      const step = Math.min(Math.floor(time), agent.trace.length - 1);
      const points = this.project(agent.trace[step]), counts = spent(episode, agent, step);
      this.drawNative(pen);
      const colourAt = (share) => heat[Math.min(counts[Math.round(share * (counts.length - 1))], heat.length - 1)];
      tube(this.trace, points, colourAt).sort((a, b) => a.depth - b.depth).forEach((piece) => piece.draw(pen));
      this.drawWindow(pen, points, step);
    }

    // where the loop was
    drawNative(pen) {
      const points = this.project(this.episode.native), [first, last] = this.episode.loop;
      pen.strokeStyle = bentColour;
      pen.lineWidth = 1.6;
      pen.setLineDash([5, 4]);
      pen.beginPath();
      for (let i = first - 1; i <= last + 1; ++i) pen.lineTo(points[i][0], points[i][1]);
      pen.stroke();
      pen.setLineDash([]);
    }

    drawWindow(pen, points, step) {
      const middle = points[this.episode.lead + step];
      if (!middle) return;
      pen.strokeStyle = "#1f2933";
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.arc(middle[0], middle[1], 0.9 * middle[3], 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  function gapStrip(episode) {
    const most = largest(episode.agents, ["gap"]);
    return {
      label: "widest gap of the chain",
      height: 34,
      value: (agent, step) => `${agent.gap[step].toFixed(2)} Å`,
      draw: (pen, box, agent, x) =>
        drawLine(pen, box, agent.gap, x, (v) => box.bottom - (v / most) * (box.height - 2), "#c07414"),
    };
  }

  // what all panels share: how the reader has turned them, their middle and their scale
  function prepare(episode, player) {
    if (player.reach) return;
    Object.assign(player, { yaw: 0.5, pitch: 0.35, zoom: 1, middle: [0, 0, 0] });
    const n = episode.native.length / 3;
    episode.native.forEach((v, i) => (player.middle[i % 3] += v / n));
    player.reach = 4;
    for (let i = 0; i < episode.native.length; i += 3) {
      player.reach = Math.max(player.reach, Math.hypot(...[0, 1, 2].map((k) => episode.native[i + k] - player.middle[k])));
    }
    player.turn = (dx, dy) => {
      player.yaw += dx * 0.01;
      player.pitch = clamp(player.pitch + dy * 0.01, -1.5, 1.5);
      player.draw();
    };
    player.zoomBy = (factor) => {
      player.zoom = clamp(player.zoom * factor, 0.4, 5);
      player.draw();
    };
  }

  return {
    done: "repaired",
    violated: ["clash or bad torsion", "clashes and bad torsions"],
    violations: "at the end",
    pace: 10,
    hint: "Drag a protein to turn all of them, scroll to come nearer.",
    toggles: {},
    key: [[bentColour, "where the loop was before it was bent"], ["#1f2933", "middle of the window"]],
    marks: (episode) => [
      { at: Math.max(0, episode.loop[0] - episode.lead), text: "bent loop", main: true },
      { at: episode.loop[1] - episode.lead, text: "its end" },
    ],
    strips: (episode) => [gapStrip(episode), depthStrip],
    view(episode, agent, player) {
      prepare(episode, player);
      return new View(episode, agent, player);
    },
  };
})();
