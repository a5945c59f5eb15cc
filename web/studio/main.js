// The studio: the fleet, streams by where compute went, one stream; everything that can be linked is in the address.
import {render} from "preact";
import {useEffect, useState} from "preact/hooks";
import {isRecorded, source} from "./data.js";
import {HeatMap} from "./heat_map.js";
import {html} from "./html.js";
import {StreamView} from "./stream_view.js";

const kWindow = 300, kListed = 10000, kShown = 100, kEvery = 1000;

let readyAt = null;  // milliseconds after which the list was there

const address = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const goTo = (change) => {
  const next = Object.fromEntries(Object.entries({...address(), ...change}).filter(([, value]) => value));
  history.replaceState(null, "", `#${new URLSearchParams(next)}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
};

function useAddress() {
  const [now, set] = useState(address());
  useEffect(() => {
    const read = () => set(address());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return now;
}

// asks again every second, unless it is paused; one question at a time
function usePolled(ask, isPaused, keys) {
  const [value, set] = useState(null);
  useEffect(() => {
    let timer = 0, isOver = false;
    const turn = async () => {
      try {
        const next = await ask();
        if (!isOver) set(next);
      } catch (error) {
        console.warn(error.message);
      }
      if (!isOver && !isPaused && !isRecorded) timer = setTimeout(turn, kEvery);
    };
    turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isPaused, ...keys]);
  return value;
}

function Fleet({fleet, budget}) {
  if (!fleet) return html`<p>…</p>`;
  const p99 = fleet.step_p99_us ?? 0;
  return html`<section>
    <p class="fleet" data-streams=${fleet.streams} data-rows=${fleet.rows}>${fleet.streams} streams, ${fleet.rows} rows
      ${fleet.step_p50_us !== undefined &&
        html`; a row takes ${fleet.step_p50_us.toPrecision(3)} µs, 99 of 100 at most ${p99.toPrecision(3)} µs
          <span class="meter"><i style=${{width: `${Math.min(100, (100 * p99) / budget)}%`}}></i></span> of ${budget} µs`}</p>
    ${fleet.partitions.length > 0 && html`<table><thead><tr>
      ${["part", "owner", "state", "streams", "rows", "waiting", "replayed"].map((name) => html`<th>${name}</th>`)}</tr></thead>
      <tbody>${fleet.partitions.map((p) => html`<tr key=${p.number}><td>${p.number}</td><td>${p.owner}</td><td>${p.state}</td>
        <td>${p.streams}</td><td>${p.rows}</td><td>${p.lag}</td><td>${p.replayed}</td></tr>`)}</tbody></table>`}
  </section>`;
}

function Streams({page, selected}) {
  const [count, setCount] = useState(kShown);
  if (!page) return html`<p>…</p>`;
  readyAt ??= performance.now();
  return html`<section class="streams" data-count=${page.count} data-ready-ms=${Math.round(readyAt)}>
    <${HeatMap} streams=${page.streams} selected=${selected} onPick=${(id) => goTo({stream: id, row: ""})} />
    <table><thead><tr><th>stream</th><th>K</th><th>accepted</th><th>rows</th><th></th></tr></thead>
    <tbody>${page.streams.slice(0, count).map((s) => html`<tr key=${s.id} class=${s.id === selected ? "selected" : ""}
      onClick=${() => goTo({stream: s.id, row: ""})}><td>${s.id}</td><td>${s.depth}</td><td>${s.accepted}</td><td>${s.rows}</td>
      <td>${s.drift ? "drift" : ""}</td></tr>`)}</tbody></table>
    ${count < page.streams.length && html`<button onClick=${() => setCount(count + 10 * kShown)}>more</button>`}
  </section>`;
}

async function around(id, row) {
  const last = row || (await source.last(id));
  const from = Math.max(1, last - kWindow + 1), count = Math.max(1, last - from + 1);
  const [forecasts, rows] = await Promise.all([source.forecasts(id, from, count), source.rows(id, from, count)]);
  return {forecasts, rows};
}

function useKeys(page, at, isPaused) {
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const ids = page?.streams.map((each) => each.id) ?? [];
      const next = (step) => goTo({stream: ids[Math.max(0, ids.indexOf(at.stream) + step)], row: ""});
      const scrub = async (step) => {
        const row = Number(at.row) || (at.stream ? await source.last(at.stream) : 0);
        goTo({paused: "1", row: String(Math.max(1, row + step))});
      };
      const keys = {" ": () => goTo({paused: isPaused ? "" : "1", row: ""}), j: () => next(1), k: () => next(-1),
                    ArrowLeft: () => scrub(-kWindow / 4), ArrowRight: () => scrub(kWindow / 4),
                    d: () => document.documentElement.classList.toggle("dark")};
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

function Studio() {
  const at = useAddress(), isPaused = at.paused === "1";
  const fleet = usePolled(() => source.fleet(), isPaused, []);
  const page = usePolled(() => source.streams(kListed), isPaused, []);
  const selected = at.stream ?? page?.streams[0]?.id;
  const stream = usePolled(async () => (selected ? around(selected, Number(at.row)) : null), isPaused, [selected, at.row]);
  useKeys(page, {...at, stream: selected}, isPaused);
  return html`<header><h1>Elastane studio</h1>
      <button onClick=${() => goTo({paused: isPaused ? "" : "1", row: ""})}>${isPaused ? "continue" : "pause"}</button>
      <small>space: pause; ← →: back and forth; j k: streams; d: dark</small></header>
    <${Fleet} fleet=${fleet} budget=${Number(at.budget) || 1000} />
    <main><${Streams} page=${page} selected=${selected} />
      ${selected && stream && html`<${StreamView} key=${selected} id=${selected} forecasts=${stream.forecasts} rows=${stream.rows} />`}</main>`;
}

if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
render(html`<${Studio} />`, document.getElementById("studio"));
