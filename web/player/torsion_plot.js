// Torsions on their torus, as a Ramachandran plot, and beside it what the energy of a step is made of.
"use strict";

const energyTerms = [["contact", "#dd9a3c"], ["clash", "#d32f2f"], ["ramachandran", "#2f6fd0"], ["smooth", "#8793a0"]];
const termNames = energyTerms.map(([name]) => name);

class TorsionPlot {
  constructor(episode, agent) {
    Object.assign(this, { episode, agent });
    this.most = largest(episode.agents, termNames);
    this.canvas = new Canvas("strip", 0.46);
  }

  draw(step) {
    this.canvas.fit();
    const pen = this.canvas.begin(), size = this.canvas.height - 16, left = 15, top = 2;
    const { bins, allowed } = this.episode;
    const place = (angle) => ((angle / Math.PI + 1) / 2) * size;
    pen.fillStyle = "#f6f8fa";
    pen.fillRect(left, top, size, size);
    for (let row = 0; row < bins; ++row) {
      for (let column = 0; column < bins; ++column) {
        const share = allowed[row * bins + column];
        if (!(share > 0)) continue;
        pen.fillStyle = `rgb(31 138 91 / ${Math.round(8 + 26 * share)}%)`;
        // whole pixels, so that cells neither overlap nor leave a seam
        const [x, right, y, bottom] = [column, column + 1, bins - row - 1, bins - row].map((k) => Math.round((k * size) / bins));
        pen.fillRect(left + x, top + y, right - x, bottom - y);
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
    for (let back = Math.min(14, step - (step % 2)); back >= 0; back -= 2) {  // fading, the present last
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
    const width = this.canvas.width - left, most = this.most, row = (this.canvas.height - 10) / 4;
    pen.font = "11px system-ui, sans-serif";
    energyTerms.forEach(([name, colour], i) => {
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
