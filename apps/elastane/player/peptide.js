// A peptide in three dimensions, its torsions on their torus, and what its energy is made of.
"use strict";

worlds.peptide = (() => {
  const elementColours = { C: "#7c8894", N: "#3d6fd6", O: "#d9503f" };
  const terms = [["contact", "#dd9a3c"], ["clash", "#d32f2f"], ["ramachandran", "#2f6fd0"], ["smooth", "#8793a0"]];
  const met = "#1f8a5b", unmet = "#c07414";

  // from the first residue to the last
  const alongChain = (share) => `hsl(${mix(212, 330, share)} 48% 56%)`;

  const contactAt = (episode, step) => episode.contacts.filter((c) => c.at <= step).at(-1);

  // what is far away is paler; opaque all the same, so that nothing shines through
  const faded = (colour, depth) => `color-mix(in srgb, ${colour} ${Math.round(clamp(84 + 2.4 * depth, 48, 100))}%, #fff)`;

  // light and shadow on a ball
  function ball(pen, x, y, radius, colour) {
    const shade = pen.createRadialGradient(x - radius * 0.35, y - radius * 0.4, radius * 0.1, x, y, radius);
    shade.addColorStop(0, "#fff");
    shade.addColorStop(0.35, colour);
    shade.addColorStop(1, `color-mix(in srgb, ${colour} 65%, #10202e)`);
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = shade;
    pen.fill();
  }

  // a smooth way through points of space (Catmull and Rom), `pieces` between two of them
  function spline(points, pieces) {
    const way = [], at = (i) => points[clamp(i, 0, points.length - 1)];
    for (let i = 0; i + 1 < points.length; ++i) {
      const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
      for (let k = 0; k < pieces; ++k) {
        const t = k / pieces;
        way.push([0, 1, 2].map((j) => 0.5 * (2 * b[j] + (c[j] - a[j]) * t +
          (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t * t + (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t * t * t)));
      }
    }
    return [...way, at(points.length - 1)];
  }

  class View {
    constructor(episode, agent, player, first) {
      Object.assign(this, { episode, agent, player });
      // what a chain does as a whole is of no interest: every step is laid upon the one before
      let before = first;
      this.frames = agent.atoms.map((atoms) => (before = superposed(centred(atoms), before)));
      this.trace = episode.atoms.flatMap((atom, i) => (atom.name === "CA" ? [i] : []));
      this.canvas = new Canvas("view", 0.74);
      this.plot = new Canvas("strip", 0.46);
      this.nodes = [this.canvas.node, this.plot.node];
      this.canvas.node.style.cursor = "grab";
      this.canvas.node.addEventListener("pointerdown", (e) => this.canvas.node.setPointerCapture(e.pointerId));
      this.canvas.node.addEventListener("pointermove", (e) => e.buttons && player.turn(e.movementX, e.movementY));
      this.canvas.node.addEventListener("wheel", (e) => {
        e.preventDefault();
        player.zoomBy(Math.exp(-e.deltaY * 0.001));
      }, { passive: false });
    }

    // atoms at a time, turned as the reader turned them: [x, y, z] in pixels, z towards the reader
    project(time) {
      const last = this.frames.length - 1, whole = Math.min(Math.floor(time), last), next = Math.min(whole + 1, last);
      const share = clamp(time - whole, 0, 1), { yaw, pitch } = this.player;
      const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
      const reach = mix(this.player.reach[whole], this.player.reach[next], share);
      const size = (this.player.zoom * this.canvas.width) / (2.3 * reach);
      const points = [];
      for (let i = 0; i < this.frames[whole].length; i += 3) {
        const [x, y, z] = [0, 1, 2].map((k) => mix(this.frames[whole][i + k], this.frames[next][i + k], share));
        const x1 = cy * x + sy * z, z1 = cy * z - sy * x, y1 = cp * y - sp * z1, z2 = sp * y + cp * z1;
        const near = 1 / (1 - z2 / (6 * reach));
        points.push([this.canvas.width / 2 + x1 * size * near, this.canvas.height / 2 - y1 * size * near, z2, size * near]);
      }
      return points;
    }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin(), points = this.project(time);
      const step = Math.min(Math.floor(time), this.frames.length - 1);
      const things = [...this.tube(points), ...this.sticks(points), ...this.balls(points)];
      things.sort((a, b) => a.depth - b.depth);
      for (const thing of things) thing.draw(pen);
      this.drawClashes(pen, points, step);
      this.drawContact(pen, points, step);
      this.drawEnds(pen, points);
      this.drawPlot(step);
    }

    // pieces of a thick line, and behind each a darker one, a little wider: the rim
    tube(points) {
      const way = spline(this.trace.map((i) => points[i].slice(0, 3)), 8), width = points[0][3], pieces = [];
      const piece = (from, to, depth, colour, thick) => pieces.push({
        depth,
        draw(pen) {
          pen.lineCap = "round";
          pen.beginPath();
          pen.moveTo(from[0], from[1]);
          pen.lineTo(to[0], to[1]);
          pen.lineWidth = thick;
          pen.strokeStyle = colour;
          pen.stroke();
        },
      });
      for (let k = 0; k + 1 < way.length; ++k) {
        const depth = (way[k][2] + way[k + 1][2]) / 2 - 0.3;
        piece(way[k], way[k + 1], depth - 1.5, faded("#46505c", depth), width + 2.4);
        piece(way[k], way[k + 1], depth, faded(alongChain(k / way.length), depth), width);
        piece(way[k], way[k + 1], depth + 0.02, faded(`color-mix(in srgb, ${alongChain(k / way.length)} 72%, #fff)`, depth), 0.32 * width);
      }
      return pieces;
    }

    sticks(points) {
      return this.episode.bonds.map(([a, b]) => ({
        depth: (points[a][2] + points[b][2]) / 2,
        draw(pen) {
          pen.beginPath();
          pen.moveTo(points[a][0], points[a][1]);
          pen.lineTo(points[b][0], points[b][1]);
          pen.lineWidth = 0.24 * points[a][3];
          pen.strokeStyle = faded("#98a3ae", points[a][2]);
          pen.stroke();
        },
      }));
    }

    balls(points) {
      return this.episode.atoms.map((atom, i) => ({
        depth: points[i][2] + 0.1,
        draw: (pen) => ball(pen, points[i][0], points[i][1], (atom.name === "CA" ? 0.42 : 0.36) * points[i][3],
          faded(elementColours[atom.element] || "#8793a0", points[i][2])),
      }));
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
    }

    drawEnds(pen, points) {
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = "#1f2933";
      pen.textAlign = "center";
      const ends = [[this.trace[0], "N"], [this.trace.at(-1), "C"]];
      for (const [i, name] of ends) pen.fillText(name, points[i][0], points[i][1] - 0.8 * points[i][3]);
    }

    // torsions on their torus, and the terms of the energy at this step
    drawPlot(step) {
      this.plot.fit();
      const pen = this.plot.begin(), size = this.plot.height - 16, left = 15, top = 2;
      const { bins, allowed } = this.episode;
      const place = (angle) => ((angle / Math.PI + 1) / 2) * size;
      pen.fillStyle = "#f6f8fa";
      pen.fillRect(left, top, size, size);
      for (let row = 0; row < bins; ++row) {
        for (let column = 0; column < bins; ++column) {
          const share = allowed[row * bins + column];
          if (!(share > 0)) continue;
          pen.fillStyle = `rgb(31 138 91 / ${Math.round(8 + 26 * share)}%)`;
          const cell = size / bins;
          pen.fillRect(left + column * cell, top + size - (row + 1) * cell, cell + 0.4, cell + 0.4);
        }
      }
      pen.strokeStyle = "#d3dae1";
      pen.lineWidth = 1;
      pen.strokeRect(left + 0.5, top + 0.5, size - 1, size - 1);
      this.drawTorsions(pen, step, left, top, size, place);
      pen.font = "italic 12px Georgia, serif";
      pen.fillStyle = "#66727f";
      pen.textAlign = "center";
      pen.fillText("φ", left + size / 2, top + size + 12);
      pen.fillText("ψ", 6, top + size / 2 + 4);
      this.drawTerms(pen, step, left + size + 14);
    }

    drawTorsions(pen, step, left, top, size, place) {
      const n = this.episode.sequence.length;
      for (let back = Math.min(14, step); back >= 0; back -= 2) {
        this.agent.torsions[step - back].forEach(([phi, psi], residue) => {
          if (phi === null || psi === null) return;
          pen.globalAlpha = back === 0 ? 1 : 0.28 * (1 - back / 16);
          pen.beginPath();
          pen.arc(left + place(phi), top + size - place(psi), back === 0 ? 3.6 : 2, 0, 2 * Math.PI);
          pen.fillStyle = alongChain(residue / (n - 1));
          pen.fill();
          pen.lineWidth = 1;
          pen.strokeStyle = "#fff";
          if (back === 0) pen.stroke();
        });
      }
      pen.globalAlpha = 1;
    }

    drawTerms(pen, step, left) {
      const width = this.plot.width - left, most = this.player.largestTerm, row = (this.plot.height - 10) / 4;
      pen.font = "11px system-ui, sans-serif";
      terms.forEach(([name, colour], i) => {
        const value = this.agent[name][step], top = i * row + 2;
        pen.textAlign = "left";
        pen.fillStyle = "#66727f";
        pen.fillText(name, left, top + 10);
        pen.textAlign = "right";
        pen.fillText(shownNumber(value), left + width, top + 10);
        pen.fillStyle = "#eef1f4";
        pen.fillRect(left, top + 14, width, 5);
        pen.fillStyle = colour;
        pen.fillRect(left, top + 14, width * Math.sqrt(clamp(value / most, 0, 1)), 5);
      });
    }
  }

  function energyStrip(agents) {
    const most = largest(agents, terms.map(([name]) => name)), least = most * 1e-4;
    const share = (v) => Math.log(clamp(v, least, most) / least) / Math.log(most / least);
    return {
      label: "energy, by its terms",
      height: 44,
      value: (agent, step) => shownNumber(terms.reduce((sum, [name]) => sum + agent[name][step], 0)),
      draw(pen, box, agent, x) {
        for (const [name, colour] of terms) {
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

  // how far the widest chain reaches at each step, from its middle
  function reaches(episode, steps) {
    const most = new Array(steps + 1).fill(4);
    for (const agent of episode.agents) {
      most.forEach((_, step) => {
        const c = centred(agent.atoms[Math.min(step, agent.atoms.length - 1)]);
        for (let i = 0; i < c.length; i += 3) most[step] = Math.max(most[step], Math.hypot(c[i], c[i + 1], c[i + 2]));
      });
    }
    return most;
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
    player.first = superposed(centred(episode.agents[0].atoms[0]), laidOut(episode));
    player.zoom = 1;
    player.zoomBy = (factor) => {
      player.zoom = clamp(player.zoom * factor, 0.4, 5);
      player.draw();
    };
    player.reach = smooth(reaches(episode, player.steps));
    player.largestTerm = largest(episode.agents, terms.map(([name]) => name));
  }

  return {
    done: "met",
    violations: "steps with clashes",
    pace: 10,
    hint: "Drag a chain to turn all of them, scroll to come nearer.",
    toggles: {},
    key: [["#d32f2f", "clash"], [unmet, "contact asked for"], [met, "contact met; allowed torsions"], ["#0f8b8d", "trust radius ρ"]],
    marks: (episode) => episode.contacts.map((c) => ({ at: c.at, text: `contact ${episode.sequence[c.i]}${c.i + 1}–${episode.sequence[c.j]}${c.j + 1}` })),
    strips: (episode) => [energyStrip(episode.agents), distanceStrip(episode), depthStrip, radiusStrip(episode.agents)],
    view(episode, agent, player) {
      prepare(episode, player);
      return new View(episode, agent, player, player.first);
    },
  };
})();
