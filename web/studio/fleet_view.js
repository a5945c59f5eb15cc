// The whole: figures of all streams, who owns which part, and how long rows take against their budget.
import {useRef} from "preact/hooks";
import {goTo} from "./address.js";
import {isRecorded} from "./data.js";
import {micros, percent, short, whole} from "./format.js";
import {html} from "./html.js";

const Tile = ({name, value, note}) => html`<div class="tile"><b>${value}</b><span>${name}</span><small>${note}</small></div>`;

// rows per second between two answers
function useRate(count, at) {
  const last = useRef({rate: null});
  if (at !== undefined && at !== last.current.at) {
    const {count: before, at: since} = last.current;
    last.current = {count, at, rate: since === undefined ? null : Math.max(0, (1000 * (count - before)) / (at - since))};
  }
  return last.current.rate;
}

// bars by time, those beyond the budget in another colour, and the budget as a line
function StepTimes({times, budget}) {
  const all = times.reduce((sum, each) => sum + each.rows, 0);
  if (all === 0) return html`<p class="quiet">no row was timed yet</p>`;
  const first = Math.max(0, times.findIndex((each) => each.rows > 0) - 1);
  const last = Math.max(times.length - 1, Math.ceil(Math.log2(budget)) + 1);
  const bars = Array.from({length: last - first + 1}, (_, i) => times[first + i] ?? {upto_us: 2 ** (first + i), rows: 0});
  const most = Math.max(...bars.map((each) => each.rows)), width = 300 / bars.length;
  const x = Math.min(300, Math.max(0, (Math.log2(budget) - first + 1) * width));
  // of the rows in the bucket of the budget it is not known
  const beyond = times.filter((each) => each.upto_us > budget).reduce((sum, each) => sum + each.rows, 0);
  return html`<figure class="times" data-beyond=${beyond / all}>
    <svg viewBox="0 0 300 92" role="img" aria-label="how long rows take">
      ${bars.map((each, i) => html`<rect x=${i * width + 1} width=${Math.max(1, width - 2)} y=${76 - (72 * each.rows) / most}
        height=${(72 * each.rows) / most} class=${each.upto_us > budget ? "beyond" : ""}><title>${`up to ${micros(each.upto_us)}: ${whole(each.rows)} rows`}</title></rect>`)}
      ${bars.map((each, i) => i % Math.ceil(bars.length / 6) === 0 && html`<text x=${(i + 1) * width} y="89">${micros(each.upto_us)}</text>`)}
      <line x1=${x} x2=${x} y1="0" y2="78" />
    </svg>
    <figcaption><span>time per row; budget</span>
      <input type="number" min="1" value=${budget} aria-label="budget in microseconds"
        onChange=${(event) => goTo({budget: String(Math.max(1, Number(event.target.value) || 1000))})} />
      <span>µs: ${beyond === 0 ? "no row beyond" : `at most ${percent(beyond / all)} beyond`}</span></figcaption>
  </figure>`;
}

function Partitions({partitions}) {
  const owners = new Set(partitions.map((p) => p.owner));
  const sum = (key) => partitions.reduce((total, p) => total + p[key], 0);
  const isReady = partitions.every((p) => p.state === "ready");
  const kind = (p) => (p.state === "ready" ? "ready" : p.state.startsWith("stopped") ? "stopped" : "busy");
  return html`<details class="partitions" open=${!isReady || undefined}>
    <summary>${partitions.length} ${partitions.length === 1 ? "part" : "parts"}, ${owners.size} ${owners.size === 1 ? "owner" : "owners"}
      ${partitions.map((p) => html`<i key=${p.number} class=${kind(p)} title=${`part ${p.number}, ${p.owner}: ${p.state}`}></i>`)}
      ${isReady ? "all ready" : "not all ready"}; ${whole(sum("lag"))} rows wait; ${whole(sum("takeovers"))} take-overs</summary>
    <table class="list"><thead><tr>${["part", "owner", "state", "streams", "rows", "waiting", "replayed", "take-overs"].map((name) => html`<th>${name}</th>`)}</tr></thead>
      <tbody>${partitions.map((p) => html`<tr key=${p.number}><td>${p.number}</td><td>${p.owner}</td><td class=${kind(p)}>${p.state}</td>
        ${["streams", "rows", "lag", "replayed", "takeovers"].map((key) => html`<td>${whole(p[key])}</td>`)}</tr>`)}</tbody></table>
  </details>`;
}

export function Fleet({fleet, at, page, budget}) {
  const rate = useRate(fleet?.forecasts, at);
  if (!fleet) return null;
  const alarms = page?.streams.filter((stream) => stream.drift).length ?? 0;
  const recent = page?.streams.reduce((sum, each) => [sum[0] + each.depth, sum[1] + each.recent], [0, 0]) ?? [0, 0];
  return html`<section class="fleet" data-streams=${fleet.streams} data-forecasts=${fleet.forecasts}>
    <div class="tiles">
      <${Tile} name=${fleet.streams === 1 ? "stream" : "streams"} value=${whole(fleet.streams)} note=${`${whole(fleet.forecasts)} rows`} />
      ${!isRecorded && html`<${Tile} name="rows per second" value=${rate === null ? "–" : short(rate)} />`}
      <${Tile} name="corrections per row" value=${recent[1] > 0 ? short(recent[0] / recent[1]) : "–"} note=${isRecorded ? "" : "of the streams shown"} />
      <${Tile} name="in alarm" value=${whole(alarms)} note=${isRecorded ? "at its end" : "of the streams shown"} />
      <${Tile} name="half of all rows within" value=${fleet.step_p50_us > 0 ? micros(fleet.step_p50_us) : "–"}
        note=${fleet.step_p99_us > 0 ? `99 of 100 within ${micros(fleet.step_p99_us)}` : ""} />
    </div>
    <${StepTimes} times=${fleet.step_times ?? []} budget=${budget} />
    ${fleet.partitions.length > 0 && html`<${Partitions} partitions=${fleet.partitions} />`}
  </section>`;
}
