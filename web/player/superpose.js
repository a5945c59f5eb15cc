// Lays one set of points upon another: the rotation with the least squares (Horn 1987, by quaternions).
"use strict";

function centred(points) {
  const n = points.length / 3, middle = [0, 0, 0];
  points.forEach((v, i) => (middle[i % 3] += v / n));
  return points.map((v, i) => v - middle[i % 3]);
}

// both centred; returns `moving`, turned
function superposed(moving, fixed) {
  const s = Array.from({ length: 3 }, () => [0, 0, 0]);
  for (let i = 0; i < moving.length; i += 3) {
    for (let a = 0; a < 3; ++a) for (let b = 0; b < 3; ++b) s[a][b] += moving[i + a] * fixed[i + b];
  }
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = s;
  const horn = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
  ];
  // the largest eigenvalue's vector, by powers of the matrix moved so far that all eigenvalues are positive
  const shift = Math.hypot(...horn.flat());
  let q = [1, 0.01, 0.02, 0.03];
  for (let k = 0; k < 200; ++k) {
    const next = horn.map((row, i) => row.reduce((sum, v, j) => sum + v * q[j], shift * q[i]));
    const size = Math.hypot(...next) || 1;
    q = next.map((v) => v / size);
  }
  const [w, x, y, z] = q;
  const turn = [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ];
  const turned = new Array(moving.length);
  for (let i = 0; i < moving.length; i += 3) {
    for (let a = 0; a < 3; ++a) {
      turned[i + a] = turn[a][0] * moving[i] + turn[a][1] * moving[i + 1] + turn[a][2] * moving[i + 2];
    }
  }
  return turned;
}
