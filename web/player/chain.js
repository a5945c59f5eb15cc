// A chain of atoms as things to draw, each with its depth: a tube along the backbone, sticks, balls.
//
// Points are [x, y, depth, pixels of 1 Å], the depth in Å towards the reader.
"use strict";

const elementColours = { C: "#7c8894", N: "#3d6fd6", O: "#d9503f" };

// dragging turns all chains of a page, the wheel brings them nearer
function letTurn(node, player) {
  node.style.cursor = "grab";
  node.addEventListener("pointerdown", (e) => node.setPointerCapture(e.pointerId));
  node.addEventListener("pointermove", (e) => e.buttons && player.turn(e.movementX, e.movementY));
  node.addEventListener("wheel", (e) => {
    e.preventDefault();
    player.zoomBy(Math.exp(-e.deltaY * 0.001));
  }, { passive: false });
}

// from the first residue to the last
const alongChain = (share) => `hsl(${mix(212, 330, share)} 48% 56%)`;

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

// a smooth curve through points in space (Catmull and Rom), `pieces` between two of them
function spline(points, pieces) {
  const curve = [], at = (i) => points[clamp(i, 0, points.length - 1)];
  for (let i = 0; i + 1 < points.length; ++i) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let k = 0; k < pieces; ++k) {
      const t = k / pieces;
      curve.push([0, 1, 2].map((j) => 0.5 * (2 * b[j] + (c[j] - a[j]) * t +
        (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t * t + (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t * t * t)));
    }
  }
  return [...curve, at(points.length - 1)];
}

// pieces of a thick line, and behind each a darker one, a little wider: the rim; colours go by the share of the curve
function tube(trace, points, colourAt = alongChain) {
  const curve = spline(trace.map((i) => points[i].slice(0, 3)), 8), width = points[0][3], pieces = [];
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
  for (let k = 0; k + 1 < curve.length; ++k) {
    const depth = (curve[k][2] + curve[k + 1][2]) / 2 - 0.3;
    piece(curve[k], curve[k + 1], depth - 1.5, faded("#46505c", depth), width + 2.4);
    const colour = faded(colourAt(k / curve.length), depth);
    piece(curve[k], curve[k + 1], depth, colour, width);
    piece(curve[k], curve[k + 1], depth + 0.02, `color-mix(in srgb, ${colour} 72%, #fff)`, 0.32 * width);  // light from above
  }
  return pieces;
}

function sticks(bonds, points) {
  return bonds.map(([a, b]) => ({
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

function balls(atoms, points) {
  return atoms.map((atom, i) => ({
    depth: points[i][2] + 0.1,
    draw: (pen) => ball(pen, points[i][0], points[i][1], (atom.name === "CA" ? 0.42 : 0.36) * points[i][3],
      faded(elementColours[atom.element] || "#8793a0", points[i][2])),
  }));
}

// all of it, what is far away first
function chainPieces({ atoms, bonds }, trace, points) {
  return [...tube(trace, points), ...sticks(bonds, points), ...balls(atoms, points)].sort((a, b) => a.depth - b.depth);
}
