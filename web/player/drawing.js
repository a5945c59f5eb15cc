// What every picture of the player is drawn with: canvases that fit, colours, numbers, lines.
"use strict";

// how much was spent on a step: K = 0, 1, 2, 3 and more
const depthColours = ["#b4bfca", "#6aa9e9", "#2f6fd0", "#6d28c9"];
const depthColour = (k) => depthColours[Math.min(k, depthColours.length - 1)];

const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
const mix = (a, b, share) => a + (b - a) * share;

function element(kind, properties = {}, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

// a canvas whose drawing is in CSS pixels, sharp on every screen; `aspect` is height over width
class Canvas {
  constructor(className, aspect) {
    this.node = element("canvas", { className });
    this.aspect = aspect;
    this.width = this.height = 0;
  }

  // returns true if the size changed
  fit() {
    const width = this.node.clientWidth, dense = window.devicePixelRatio || 1;
    const height = typeof this.aspect === "function" ? this.aspect(width) : Math.round(width * this.aspect);
    if (width === this.width && height === this.height && dense === this.dense) return false;
    Object.assign(this, { width, height, dense });
    this.node.width = Math.round(width * dense);
    this.node.height = Math.round(height * dense);
    this.node.style.height = `${height}px`;
    return true;
  }

  begin() {
    const pen = this.node.getContext("2d");
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }
}

// largest finite value of some columns, over all agents, so that panels can be compared
function largest(agents, columns) {
  let most = 0;
  for (const agent of agents) {
    for (const name of columns) {
      for (const v of agent[name] || []) if (Number.isFinite(v)) most = Math.max(most, v);
    }
  }
  return most || 1;
}

// by how much each correction lowered the loss: 1 is the agent's best, 0 a thousandth of it; as in navigation_figure.cpp
function gainsOf({ before, after }) {
  const gains = before.map((v, step) => Math.max(0, v - after[step])), most = Math.max(...gains);
  return gains.map((v) => (v > 0 ? clamp(1 + Math.log10(v / most) / 3, 0, 1) : 0));
}

// a line through one value a step
function drawLine(pen, box, values, x, y, colour, width = 1.4) {
  pen.beginPath();
  let down = false;
  values.forEach((v, step) => {
    if (!Number.isFinite(v)) return void (down = false);
    const px = x(step + 0.5), py = clamp(y(v), box.top, box.bottom);
    if (down) pen.lineTo(px, py);
    else pen.moveTo(px, py);
    down = true;
  });
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}

function shownNumber(v) {
  if (!Number.isFinite(v)) return "";
  const size = Math.abs(v);
  if (size >= 10 && size < 1e5) return v.toFixed(0);
  return size === 0 ? "0" : size >= 1e5 || size < 0.001 ? v.toExponential(1) : v.toPrecision(2);
}
