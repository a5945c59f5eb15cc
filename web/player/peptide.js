// A peptide in three dimensions, its torsions on their torus, and what its energy is made of.
"use strict";

worlds.peptide = (() => {
  const met = "#1f8a5b", unmet = "#c07414", shape = 0.74;  // height of a view, of its width

  const residueName = (episode, i) => `${episode.sequence[i]}${i + 1}`;  // as in PDB files
  const contactAt = (episode, step) => episode.contacts.filter((c) => c.at <= step).at(-1);

  // as a reader sees it who has turned it: x to the right, y up, z towards them
  function turner(yaw, pitch) {
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return ([x, y, z]) => {
      const deep = cy * z - sy * x;
      return [cy * x + sy * z, cp * y - sp * deep, sp * y + cp * deep];
    };
  }

  class View {
    constructor(episode, agent, player) {
      Object.assign(this, { episode, agent, player, frames: player.frames.get(agent) });
      this.trace = episode.atoms.flatMap((atom, i) => (atom.name === "CA" ? [i] : []));
      this.canvas = new Canvas("view", shape);
      this.plot = new TorsionPlot(episode, agent);
      this.nodes = [this.canvas.node, this.plot.canvas.node];
      letTurn(this.canvas.node, player);
    }

    // atoms at a time, turned as the reader turned them: [x, y, z] in pixels, z towards the reader
    project(time) {
      const last = this.frames.length - 1, whole = Math.min(Math.floor(time), last), next = Math.min(whole + 1, last);
      const share = clamp(time - whole, 0, 1), turned = turner(this.player.yaw, this.player.pitch);
      const reach = mix(this.player.reach[whole], this.player.reach[next], share);
      const size = (this.player.zoom * this.canvas.width) / (2.3 * reach);
      const points = [];
      for (let i = 0; i < this.frames[whole].length; i += 3) {
        const [x, y, z] = turned([0, 1, 2].map((k) => mix(this.frames[whole][i + k], this.frames[next][i + k], share)));
        const near = 1 / (1 - z / (6 * reach));
        points.push([this.canvas.width / 2 + x * size * near, this.canvas.height / 2 - y * size * near, z, size * near]);
      }
      return points;
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), points = this.project(time);
      const step = Math.min(Math.floor(time), this.frames.length - 1);
      for (const piece of chainPieces(this.episode, this.trace, points)) piece.draw(pen);
      this.drawClashes(pen, points, step);
      this.drawContact(pen, points, step);
      this.drawEnds(pen, points);
      this.plot.draw(step);
    }

    drawClashes(pen, points, step) {
      for (const [a, b] of this.agent.clashes[step] || []) {
        pen.strokeStyle = "#d32f2f";
        pen.lineWidth = 2.4;
        pen.beginPath();
        pen.moveTo(points[a][0], points[a][1]);
        pen.lineTo(points[b][0], points[b][1]);
        pen.stroke();
        for (const i of [a, b]) {
          pen.beginPath();
          pen.arc(points[i][0], points[i][1], 0.5 * points[i][3], 0, 2 * Math.PI);
          pen.stroke();
        }
      }
    }

    drawContact(pen, points, step) {
      const contact = contactAt(this.episode, step);
      if (!contact) return;
      const a = points[this.trace[contact.i]], b = points[this.trace[contact.j]], distance = this.agent.distance[step];
      const colour = distance <= contact.goal ? met : unmet;
      pen.strokeStyle = colour;
      pen.lineWidth = 2;
      for (const p of [a, b]) {
        pen.beginPath();
        pen.arc(p[0], p[1], 0.62 * p[3], 0, 2 * Math.PI);
        pen.stroke();
      }
      pen.setLineDash([5, 4]);
      pen.beginPath();
      pen.moveTo(a[0], a[1]);
      pen.lineTo(b[0], b[1]);
      pen.stroke();
      pen.setLineDash([]);
      const text = `${distance.toFixed(1)} Å`, x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
      pen.font = "600 13px system-ui, sans-serif";
      pen.textAlign = "center";
      const half = pen.measureText(text).width / 2 + 5;
      pen.fillStyle = "rgb(255 255 255 / 88%)";
      pen.fillRect(x - half, y - 10, 2 * half, 20);
      pen.fillStyle = colour;
      pen.fillText(text, x, y + 4.5);
      pen.font = "600 12px system-ui, sans-serif";
      for (const [p, i] of [[a, contact.i], [b, contact.j]]) {
        pen.lineWidth = 3;
        pen.strokeStyle = "rgb(255 255 255 / 88%)";
        pen.strokeText(residueName(this.episode, i), p[0], p[1] + 0.62 * p[3] + 13);
        pen.fillText(residueName(this.episode, i), p[0], p[1] + 0.62 * p[3] + 13);
      }
    }

    drawEnds(pen, points) {
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = "#1f2933";
      pen.textAlign = "center";
      const ends = [[this.trace[0], "N"], [this.trace.at(-1), "C"]];
      for (const [i, name] of ends) pen.fillText(name, points[i][0], points[i][1] - 0.8 * points[i][3]);
    }
  }

  function energyStrip(agents) {
    const most = largest(agents, termNames), least = most * 1e-4;
    const share = (v) => Math.log(clamp(v, least, most) / least) / Math.log(most / least);
    return {
      label: "energy, by its terms",
      height: 44,
      value: (agent, step) => shownNumber(termNames.reduce((sum, name) => sum + agent[name][step], 0)),
      draw(pen, box, agent, x) {
        for (const [name, colour] of energyTerms) {
          drawLine(pen, box, agent[name], x, (v) => box.bottom - share(v) * (box.height - 2), colour, 1.3);
        }
      },
    };
  }

  function distanceStrip(episode) {
    const most = largest(episode.agents, ["distance"]);
    return {
      label: "distance of the contact",
      height: 30,
      value: (agent, step) => (agent.distance[step] > 0 ? `${agent.distance[step].toFixed(1)} Å` : "none asked for"),
      draw(pen, box, agent, x) {
        const y = (v) => box.bottom - (v / most) * (box.height - 2);
        const goal = episode.contacts[0]?.goal ?? 6;
        pen.fillStyle = "rgb(31 138 91 / 14%)";
        pen.fillRect(0, y(goal), box.width, box.bottom - y(goal));
        drawLine(pen, box, agent.distance.map((v) => (v > 0 ? v : NaN)), x, y, unmet);
      },
    };
  }

  // how much of a view's width the widest chain needs at each step, from its middle: as it is shown at first, and not
  // much less than however it is turned
  function reaches({ frames, yaw, pitch, steps }) {
    const most = new Array(steps + 1).fill(4), turned = turner(yaw, pitch);
    for (const chains of frames.values()) {
      most.forEach((_, step) => {
        const c = chains[Math.min(step, chains.length - 1)];
        for (let i = 0; i < c.length; i += 3) {
          const [x, y, z] = turned(c.slice(i, i + 3));
          most[step] = Math.max(most[step], Math.abs(x), Math.abs(y) / shape, 0.8 * Math.hypot(x, y, z));
        }
      });
    }
    return most;
  }

  // what a chain does as a whole is of no interest: every step is laid upon the one before
  function steadied(agent, first) {
    let before = first;
    return agent.atoms.map((atoms) => (before = superposed(centred(atoms), before)));
  }

  // so that the camera comes nearer without haste
  function smooth(values, window = 12) {
    return values.map((_, i) => {
      const near = values.slice(Math.max(0, i - window), i + window + 1);
      return near.reduce((sum, v) => sum + v, 0) / near.length;
    });
  }

  // laid out from left to right, to begin with
  const laidOut = (episode) => centred(episode.atoms.flatMap((atom) => [3.6 * atom.residue, 0, 0]));

  // what all panels share: how the reader has turned them, and their scale
  function prepare(episode, player) {
    if (player.reach) return;
    player.yaw = 0.3;
    player.pitch = 0.35;
    player.turn = (dx, dy) => {
      player.yaw += dx * 0.01;
      player.pitch = clamp(player.pitch + dy * 0.01, -1.5, 1.5);
      player.draw();
    };
    const first = superposed(centred(episode.agents[0].atoms[0]), laidOut(episode));
    player.frames = new Map(episode.agents.map((agent) => [agent, steadied(agent, first)]));
    player.zoom = 1;
    player.zoomBy = (factor) => {
      player.zoom = clamp(player.zoom * factor, 0.4, 5);
      player.draw();
    };
    player.reach = smooth(reaches(player));
  }

  return {
    done: "met",
    violations: "with clashes",
    pace: 10,
    hint: "Drag a chain to turn all of them, scroll to come nearer.",
    toggles: {},
    key: [["#d32f2f", "clash"], [unmet, "contact asked for"], [met, "… and within its distance; allowed torsions"], ["#0f8b8d", "trust radius ρ"]],
    marks: (episode) => episode.contacts.map((c) => ({ at: c.at, text: `contact ${residueName(episode, c.i)}–${residueName(episode, c.j)}` })),
    strips: (episode) => [energyStrip(episode.agents), distanceStrip(episode), depthStrip, radiusStrip()],
    view(episode, agent, player) {
      prepare(episode, player);
      return new View(episode, agent, player);
    },
  };
})();
