// Small instruments in the corners of a picture.
"use strict";

// an arrow in the upper left, as long as the wind is strong; `most` is the strongest
function drawWind(pen, [wx, wy], most) {
  const cx = 26, cy = 26, reach = 15 / most;
  pen.beginPath();
  pen.arc(cx, cy, 21, 0, 2 * Math.PI);
  pen.fillStyle = "rgb(255 255 255 / 80%)";
  pen.fill();
  const [dx, dy] = [wx * reach, -wy * reach], turn = Math.atan2(dy, dx);
  pen.beginPath();
  pen.moveTo(cx - dx, cy - dy);
  pen.lineTo(cx + dx, cy + dy);
  for (const side of [-0.5, 0.5]) {
    pen.moveTo(cx + dx, cy + dy);
    pen.lineTo(cx + dx - 7 * Math.cos(turn + side), cy + dy - 7 * Math.sin(turn + side));
  }
  pen.lineWidth = 2;
  pen.strokeStyle = Math.hypot(wx, wy) > 0 ? "#2b7a9b" : "rgb(0 0 0 / 0%)";
  pen.stroke();
}

// the trust radius, in the upper right of a picture: full is the largest that the agent had
function drawRadius(pen, width, radius, most) {
  const cx = width - 26, cy = 26, full = 16;
  pen.beginPath();
  pen.arc(cx, cy, full + 5, 0, 2 * Math.PI);
  pen.fillStyle = "rgb(255 255 255 / 80%)";
  pen.fill();
  pen.beginPath();
  pen.arc(cx, cy, full, 0, 2 * Math.PI);
  pen.lineWidth = 1;
  pen.strokeStyle = "#b9c4ce";
  pen.stroke();
  pen.beginPath();
  pen.arc(cx, cy, Math.max(1.5, full * Math.sqrt(radius / most)), 0, 2 * Math.PI);
  pen.fillStyle = "rgb(15 139 141 / 65%)";
  pen.fill();
  pen.font = "italic 12px Georgia, serif";
  pen.textAlign = "center";
  pen.fillStyle = "#1f2933";
  pen.fillText("ρ", cx, cy + 4);
}
