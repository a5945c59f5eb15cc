// The plane with its hills, its obstacles, and a robot on its path.
"use strict";

worlds.navigation = (() => {
  class View {
    constructor(episode, agent, player, ground) {
      Object.assign(this, { episode, agent, player, ground });
      this.canvas = new Canvas("view", 1);
      this.nodes = [this.canvas.node];
      this.largestRadius = largest([agent], ["radius"]);
      this.gains = gainsOf(agent);
    }

    x(v) { return v * this.canvas.width; }
    y(v) { return (1 - v) * this.canvas.height; }

    draw(time) {
      this.canvas.fit();
      const pen = this.canvas.begin();
      this.drawGround(pen);
      this.drawObstacles(pen, time);
      this.drawGoal(pen);
      const step = Math.min(Math.floor(time), this.agent.depth.length - 1);
      if (this.player.toggles.rays) this.drawRays(pen, step);
      this.drawTrail(pen, time);
      if (this.player.toggles.plan && time < this.agent.depth.length) this.drawPlan(pen, step);
      this.drawRobot(pen, time, step);
      const { wind } = this.episode, { largestWind } = this.player;
      if (this.agent.radius[step] > 0) drawRadius(pen, this.canvas.width, this.agent.radius[step], this.largestRadius);
      if (wind.length > 0) drawWind(pen, wind[Math.min(step, wind.length - 1)], largestWind);
    }

    drawGround(pen) {
      pen.imageSmoothingEnabled = true;
      pen.imageSmoothingQuality = "high";
      if (this.ground.shade) pen.drawImage(this.ground.shade, 0, 0, this.canvas.width, this.canvas.height);
      pen.beginPath();
      for (const [x0, y0, x1, y1] of this.ground.lines) {
        pen.moveTo(this.x(x0), this.y(y0));
        pen.lineTo(this.x(x1), this.y(y1));
      }
      pen.strokeStyle = "rgb(140 115 70 / 26%)";
      pen.lineWidth = 0.8;
      pen.stroke();
    }

    disc(pen, [x, y, radius]) {
      pen.beginPath();
      pen.arc(this.x(x), this.y(y), radius * this.canvas.width, 0, 2 * Math.PI);
    }

    drawObstacles(pen, time) {
      const { walls, discs, dragged, moving } = this.episode;
      pen.lineCap = "round";
      pen.strokeStyle = pen.fillStyle = "#5d6875";
      for (const [x0, y0, x1, y1, half] of walls) {
        pen.lineWidth = 2 * half * this.canvas.width;
        pen.beginPath();
        pen.moveTo(this.x(x0), this.y(y0));
        pen.lineTo(this.x(x1), this.y(y1));
        pen.stroke();
      }
      pen.fillStyle = "#8793a0";
      for (const each of discs) {
        this.disc(pen, each);
        pen.fill();
      }
      if (moving.length > 0) this.drawMoving(pen, time);
      if (dragged) this.drawDragged(pen, time, dragged);
    }

    drawMoving(pen, time) {
      const { moving } = this.episode, last = moving.length - 1, now = clamp(Math.floor(time), 0, last);
      moving[now].forEach((each, i) => {
        for (let back = 12; back > 0; back -= 4) {  // where it comes from, fading
          const before = moving[Math.max(0, now - back)][i];
          this.disc(pen, before);
          pen.fillStyle = `rgb(124 92 180 / ${14 - back}%)`;
          pen.fill();
        }
        const next = moving[Math.min(now + 1, last)][i], share = clamp(time - now, 0, 1);
        this.disc(pen, each.map((v, k) => mix(v, next[k], share)));
        pen.fillStyle = "#7c5cb4";
        pen.fill();
      });
    }

    // slides to its new place in the step of the change, and leaves a ghost
    drawDragged(pen, time, dragged) {
      const share = clamp(time - dragged.at + 1, 0, 1), { from, to, radius } = dragged;
      if (share > 0) {
        this.disc(pen, [...from, radius]);
        pen.setLineDash([4, 4]);
        pen.lineWidth = 1.4;
        pen.strokeStyle = "rgb(192 116 20 / 75%)";
        pen.stroke();
        pen.beginPath();
        pen.moveTo(this.x(from[0]), this.y(from[1]));
        pen.lineTo(this.x(to[0]), this.y(to[1]));
        pen.stroke();
        pen.setLineDash([]);
      }
      this.disc(pen, [mix(from[0], to[0], share), mix(from[1], to[1], share), radius]);
      pen.fillStyle = "#dd9a3c";
      pen.fill();
      pen.lineWidth = 1.4;
      pen.strokeStyle = "#a9661a";
      pen.stroke();
    }

    drawGoal(pen) {
      const { goal, goal_radius: radius, start } = this.episode;
      this.disc(pen, [...goal, Math.max(radius, 0.02)]);
      pen.fillStyle = "rgb(31 138 91 / 18%)";
      pen.fill();
      pen.lineWidth = 2;
      pen.strokeStyle = "#1f8a5b";
      pen.stroke();
      this.disc(pen, [...goal, 0.006]);
      pen.fillStyle = "#1f8a5b";
      pen.fill();
      this.disc(pen, [...start, 0.009]);
      pen.strokeStyle = "#1f2933";
      pen.lineWidth = 1.4;
      pen.stroke();
    }

    drawRays(pen, step) {
      const rays = this.agent.rays[step] || [], [x, y] = this.agent.position[step];
      rays.forEach((length, i) => {
        if (length === null) return;
        const turn = (2 * Math.PI * i) / rays.length, hit = length < this.episode.range - 1e-6;
        const ex = this.x(x + length * Math.cos(turn)), ey = this.y(y + length * Math.sin(turn));
        pen.beginPath();
        pen.moveTo(this.x(x), this.y(y));
        pen.lineTo(ex, ey);
        pen.lineWidth = 1;
        pen.strokeStyle = hit ? "rgb(47 111 208 / 45%)" : "rgb(47 111 208 / 13%)";
        pen.stroke();
        if (!hit) return;
        pen.beginPath();
        pen.arc(ex, ey, 1.8, 0, 2 * Math.PI);
        pen.fillStyle = "rgb(47 111 208 / 80%)";
        pen.fill();
      });
    }

    // coloured by what was spent, thick where it gained much; red ticks across it where something was touched
    drawTrail(pen, time) {
      const { position, depth, violation } = this.agent, whole = Math.min(Math.floor(time), depth.length);
      pen.lineCap = "round";
      for (let s = 0; s < whole; ++s) {
        pen.beginPath();
        pen.moveTo(this.x(position[s][0]), this.y(position[s][1]));
        pen.lineTo(this.x(position[s + 1][0]), this.y(position[s + 1][1]));
        pen.lineWidth = mix(2.6, 7, this.gains[s]);
        pen.strokeStyle = depth[s] > 0 ? depthColour(depth[s]) : "#8f9ba8";
        pen.stroke();
      }
      for (let s = 0; s < whole; ++s) {
        if (!violation[s]) continue;
        const [x0, y0] = position[Math.max(0, s - 1)], [x1, y1] = position[s + 1];
        const along = Math.hypot(x1 - x0, y1 - y0) || 1, nx = (y1 - y0) / along, ny = (x1 - x0) / along;
        const cx = this.x(x1), cy = this.y(y1);
        pen.beginPath();
        pen.moveTo(cx - 6 * nx, cy - 6 * ny);
        pen.lineTo(cx + 6 * nx, cy + 6 * ny);
        pen.lineWidth = 2.2;
        pen.strokeStyle = "#d32f2f";
        pen.stroke();
      }
    }

    drawPlan(pen, step) {
      const plan = this.agent.plan[step] || [];
      if (plan.length === 0) return;
      const [x, y] = this.agent.position[step];
      pen.beginPath();
      pen.moveTo(this.x(x), this.y(y));
      for (const [px, py] of plan) pen.lineTo(this.x(px), this.y(py));
      pen.strokeStyle = "#0f8b8d";
      pen.lineWidth = 1.6;
      pen.stroke();
      for (const [px, py] of plan) {
        pen.beginPath();
        pen.arc(this.x(px), this.y(py), 2.6, 0, 2 * Math.PI);
        pen.fillStyle = "#fff";
        pen.fill();
        pen.stroke();
      }
    }

    drawRobot(pen, time, step) {
      const { position } = this.agent, whole = Math.min(Math.floor(time), position.length - 1);
      const next = Math.min(whole + 1, position.length - 1), share = time - whole;
      const at = [0, 1].map((k) => mix(position[whole][k], position[next][k], share));
      this.disc(pen, [...at, Math.max(this.episode.body, 6 / this.canvas.width)]);
      pen.fillStyle = this.agent.violation[step] && time < this.agent.depth.length ? "#d32f2f" : "#1f2933";
      pen.fill();
      pen.lineWidth = 2;
      pen.strokeStyle = "#fff";
      pen.stroke();
      const rays = this.agent.rays[step] || [];
      if (rays.length === 0 || rays.some((length) => length !== null)) return;
      this.disc(pen, [...at, 0.04]);  // none answers: it drives blind
      pen.setLineDash([2, 3]);
      pen.lineWidth = 1.6;
      pen.strokeStyle = "#1f2933";
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  return {
    done: "home",
    violations: "in contact",
    pace: 22,  // steps per second
    hint: "The path is thick where a correction gained much. Dashed: where an obstacle stood before it was dragged; a robot whose rays fail.",
    toggles: { plan: { label: "plan", on: true }, rays: { label: "rays", on: false } },
    key: [["#d32f2f", "contact"], ["#dd9a3c", "dragged obstacle"], ["#1f8a5b", "goal"], ["#0f8b8d", "plan, trust radius ρ"]],
    marks(episode) {
      const dragged = episode.dragged ? [{ at: episode.dragged.at, text: "obstacle dragged", main: true }] : [];
      return [...dragged, ...episode.events].sort((a, b) => a.at - b.at);
    },
    strips: (episode) => [lossStrip(episode.agents, { label: "loss: proposed, kept", decades: 4, none: "none" }), depthStrip, radiusStrip()],
    view(episode, agent, player) {
      player.ground ??= new Ground(episode);
      player.largestWind ??= Math.max(1e-12, ...episode.wind.map(([x, y]) => Math.hypot(x, y)));
      return new View(episode, agent, player, player.ground);
    },
  };
})();
