// The hot-spot map: a line per stream, a cell per slot of time, coloured by the compute that went there.
import {useEffect, useRef} from "preact/hooks";
import {html} from "./html.js";

const kLine = 6, kSlots = 60;

// dark to bright, by the square root: quiet streams stay visible beside a busy one
export function colour(value, most) {
  const share = most > 0 ? Math.sqrt(value / most) : 0;
  return value > 0 ? `hsl(${220 - 190 * share} 80% ${25 + 40 * share}%)` : "transparent";
}

export function HeatMap({streams, selected, onPick}) {
  const canvas = useRef(null);
  const shown = streams.slice(0, 200);
  useEffect(() => {
    const pen = canvas.current.getContext("2d");
    const width = canvas.current.width / kSlots;
    const most = Math.max(0, ...shown.flatMap((stream) => stream.map));
    pen.clearRect(0, 0, canvas.current.width, canvas.current.height);
    shown.forEach((stream, y) => stream.map.forEach((value, x) => {
      pen.fillStyle = colour(value, most);
      pen.fillRect(x * width, y * kLine, width - 1, kLine - 1);
    }));
  });
  const pick = (event) => {
    const box = canvas.current.getBoundingClientRect();
    const stream = shown[Math.floor(((event.clientY - box.top) / box.height) * shown.length)];
    if (stream) onPick(stream.id, Math.floor(((event.clientX - box.left) / box.width) * kSlots));
  };
  return html`<canvas class="map" ref=${canvas} width="600" height=${Math.max(1, shown.length) * kLine} onClick=${pick}
    role="img" aria-label="compute by stream and time" data-selected=${selected}></canvas>`;
}
