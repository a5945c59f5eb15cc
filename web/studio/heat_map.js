// The hot-spot map: a line per stream, a cell per slot of time, coloured by the compute that went there.
import {useEffect, useRef, useState} from "preact/hooks";
import {kSlots} from "./data.js";
import {short, whole} from "./format.js";
import {html} from "./html.js";

const kHeight = 320, kWidth = 960, kNames = 24, kMostStreams = 160;

// from violet to orange, by the square root: quiet streams stay visible beside a busy one; what is hot stands out from the page
export function colour(value, most) {
  if (!(value > 0)) return null;
  const share = Math.sqrt(Math.min(1, value / most)), isDark = document.documentElement.classList.contains("dark");
  return `hsl(${255 + 130 * share} ${35 + 55 * share}% ${isDark ? 24 + 36 * share : 90 - 36 * share}%)`;
}

// corrections per row, so that a stream is not hot because it has more rows
const heat = (stream, x) => (stream.row_map[x] > 0 ? stream.map[x] / stream.row_map[x] : 0);

// the last row of a slot
export const rowAt = (stream, x) => Math.max(1, stream.rows - stream.row_map.slice(x + 1).reduce((sum, n) => sum + n, 0));

function draw(canvas, streams, selected, most) {
  const pen = canvas.getContext("2d"), width = kWidth / kSlots, height = canvas.height / streams.length;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  streams.forEach((stream, y) => {
    for (let x = 0; x < kSlots; x += 1) {
      const fill = colour(heat(stream, x), most);
      if (!fill) continue;
      pen.fillStyle = fill;
      pen.fillRect(x * width, y * height, width - 1, Math.max(1, height - (height > 4 ? 1 : 0)));
    }
    if (stream.id !== selected) return;
    pen.strokeStyle = getComputedStyle(canvas).getPropertyValue("--accent");
    pen.lineWidth = 2;
    pen.strokeRect(1, y * height + 1, kWidth - 2, Math.max(2, height - 2));
  });
}

function Scale({most}) {
  const steps = Array.from({length: 24}, (_, i) => colour(((i + 1) / 24) * most, most));
  return html`<span class="scale">0 ${steps.map((fill) => html`<i style=${{background: fill}}></i>`)} ${short(most)} corrections per row</span>`;
}

export function HeatMap({streams, selected, slotSeconds, onPick}) {
  const canvas = useRef(null), [pointed, point] = useState(null);
  const shown = streams.slice(0, kMostStreams);
  const line = shown.length > kNames ? Math.max(2, Math.floor(kHeight / shown.length)) : Math.min(28, kHeight / Math.max(1, shown.length));
  const most = Math.max(1e-9, ...shown.flatMap((stream) => stream.map.map((_, x) => heat(stream, x))));
  useEffect(() => draw(canvas.current, shown, selected, most));
  const find = (event) => {
    const box = canvas.current.getBoundingClientRect();
    const stream = shown[Math.floor(((event.clientY - box.top) / box.height) * shown.length)];
    const x = Math.max(0, Math.min(kSlots - 1, Math.floor(((event.clientX - box.left) / box.width) * kSlots)));
    return stream ? {stream, x} : null;
  };
  const pick = (event) => {
    const at = find(event);
    if (at) onPick(at.stream.id, at.stream.row_map[at.x] > 0 ? rowAt(at.stream, at.x) : 0);
  };
  const seconds = slotSeconds * kSlots;
  return html`<figure class="map">
    <div class="grid">
      ${shown.length <= kNames && html`<div class="names">${shown.map((stream) => html`<span key=${stream.id}
        style=${{height: `${line}px`, lineHeight: `${line}px`}} title=${stream.id}>${stream.id}</span>`)}</div>`}
      <canvas ref=${canvas} width=${kWidth} height=${Math.max(1, shown.length) * line} style=${{height: `${Math.max(1, shown.length) * line}px`}}
        onClick=${pick} onMouseMove=${(event) => point(find(event))} onMouseLeave=${() => point(null)}
        role="img" aria-label="compute by stream and time" data-streams=${shown.length}></canvas>
    </div>
    <figcaption><span>${slotSeconds ? `${seconds} s ago` : "first row"}</span>
      <span>${pointed ? `${pointed.stream.id}: ${short(heat(pointed.stream, pointed.x))} corrections per row in ${whole(pointed.stream.row_map[pointed.x])} rows`
        : html`<${Scale} most=${most} />`}</span>
      <span>${slotSeconds ? "now" : "last row"}</span></figcaption>
  </figure>`;
}
