// The ground that a robot drives on: soft shading by height, and lines of equal height.
"use strict";

class Ground {
  static levels = 7;

  constructor(episode) {
    this.n = episode.columns;
    this.heights = episode.heights;
    this.low = Math.min(...this.heights);
    this.high = Math.max(...this.heights, this.low + 1e-9);
    this.shade = this.shading();
    this.lines = this.contours();
  }

  at(row, column) { return this.heights[row * this.n + column]; }

  shading() {
    const n = this.n;
    if (n < 2) return null;
    const picture = element("canvas", { width: n, height: n }), pen = picture.getContext("2d");
    const pixels = pen.createImageData(n, n), from = [252, 251, 248], to = [222, 208, 178];
    for (let row = 0; row < n; ++row) {
      for (let column = 0; column < n; ++column) {
        const share = (this.at(n - 1 - row, column) - this.low) / (this.high - this.low);
        const place = 4 * (row * n + column);
        for (let c = 0; c < 3; ++c) pixels.data[place + c] = mix(from[c], to[c], share);
        pixels.data[place + 3] = 255;
      }
    }
    pen.putImageData(pixels, 0, 0);
    return picture;
  }

  // marching squares: pieces [x0, y0, x1, y1] in the unit square
  contours() {
    const pieces = [], n = this.n, place = (i) => (i + 0.5) / n;
    for (let level = 1; level <= Ground.levels; ++level) {
      const height = mix(this.low, this.high, level / (Ground.levels + 1));
      for (let r = 0; r + 1 < n; ++r) {
        for (let c = 0; c + 1 < n; ++c) {
          const corners = [[r, c], [r, c + 1], [r + 1, c + 1], [r + 1, c]], cuts = [];
          for (let k = 0; k < 4; ++k) {
            const [r0, c0] = corners[k], [r1, c1] = corners[(k + 1) % 4];
            const a = this.at(r0, c0) - height, b = this.at(r1, c1) - height;
            if (a < 0 !== b < 0) cuts.push([mix(place(c0), place(c1), a / (a - b)), mix(place(r0), place(r1), a / (a - b))]);
          }
          for (let k = 0; k + 1 < cuts.length; k += 2) pieces.push([...cuts[k], ...cuts[k + 1]]);
        }
      }
    }
    return pieces;
  }
}
