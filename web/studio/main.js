// The studio: the fleet, streams by where compute went, one stream.
import {render} from "preact";
import {useEffect, useRef, useState} from "preact/hooks";
import {address, goTo, keepToken, token, useAddress} from "./address.js";
import {isRecorded, source} from "./data.js";
import {Fleet} from "./fleet_view.js";
import {html} from "./html.js";
import {Streams} from "./stream_list.js";
import {StreamView} from "./stream_view.js";

const kWindow = 300, kListed = 200, kEvery = 1000;

// asks again every second, unless it is paused; one question at a time
function usePolled(ask, isPaused, keys) {
  const [answer, set] = useState({value: null, problem: null});
  useEffect(() => {
    let timer = 0, isOver = false;
    const turn = async () => {
      let isAnswered = true;
      try {
        const value = await ask();
        if (!isOver) set({value, problem: null, at: performance.now()});
      } catch (problem) {
        isAnswered = false;
        if (!isOver) set((before) => ({...before, problem}));
      }
      if (!isOver && !(isPaused && isAnswered) && !isRecorded) timer = setTimeout(turn, kEvery);
    };
    turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isPaused, ...keys]);
  return answer;
}

// a window of rows up to the one that was asked for, or to the newest
async function around(id, row) {
  const newest = await source.last(id), last = Math.min(row || newest, newest);
  const from = Math.max(1, last - kWindow + 1), count = Math.max(1, last - from + 1);
  const [forecasts, rows] = await Promise.all([source.forecasts(id, from, count), source.rows(id, from, count)]);
  return {id, last: newest, forecasts, rows};
}

function useKeys(page, shown, isPaused, toggleDark) {
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
      const ids = page?.streams.map((each) => each.id) ?? [];
      const next = (step) => goTo({stream: ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(shown?.id) + step))], row: ""});
      const scrub = (step) => {
        if (!shown?.forecasts.length) return;
        goTo({paused: "1", stream: shown.id, row: String(Math.max(1, Math.min(shown.last, shown.forecasts.at(-1).row + step)))});
      };
      const keys = {" ": () => goTo({paused: isPaused ? "" : "1", row: ""}), j: () => next(1), k: () => next(-1), d: toggleDark,
                    ArrowLeft: () => scrub(event.shiftKey ? -kWindow : -10), ArrowRight: () => scrub(event.shiftKey ? kWindow : 10)};
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

function Problem({problem}) {
  if (!problem) return null;
  if (problem.status === 401 || problem.status === 403) {
    return html`<p class="problem">This server asks for a token that may read.
      <input type="password" aria-label="token" placeholder="token" onChange=${(event) => keepToken(event.target.value)} /></p>`;
  }
  if (problem.status === 404) return null;  // said where the stream would be
  return html`<p class="problem">The server does not answer as it should (${problem.message}); the page asks again every second.</p>`;
}

function useDark() {
  const [isDark, set] = useState(address().dark ? address().dark === "1" : matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", isDark);
  return [isDark, () => [set(!isDark), goTo({dark: isDark ? "0" : "1"})]];
}

// one process knows how many of its corrections were accepted; lines of a run and of a fleet have those alone
const isAlone = (fleet) => !isRecorded && Boolean(fleet?.partitions.every((p) => p.owner === "this process"));

function Studio() {
  const at = useAddress(), isPaused = at.paused === "1", [isDark, toggleDark] = useDark();
  const model = usePolled(() => source.model(), true, [token()]);
  const fleet = usePolled(() => source.fleet(), isPaused, [token()]);
  const page = usePolled(() => source.streams(kListed), isPaused, [token()]);
  const first = useRef(null);  // the one that was busiest when the page was opened stays, as long as no other is chosen
  first.current ??= page.value?.streams[0]?.id ?? null;
  const selected = at.stream ?? first.current;
  const stream = usePolled(async () => (selected ? around(selected, Number(at.row)) : null), isPaused, [selected, at.row, token()]);
  const shown = stream.value?.id === selected ? stream.value : null;
  useKeys(page.value, shown, isPaused, toggleDark);
  const targets = model.value?.targets ?? 1;
  return html`<header class="top"><h1>Elastane <span>studio</span></h1>
      <span class=${`state ${isPaused || isRecorded ? "" : "live"}`}>${isRecorded ? "a recorded run" : isPaused ? "paused" : "live"}</span>
      ${!isRecorded && html`<button onClick=${() => goTo({paused: isPaused ? "" : "1", row: ""})}>${isPaused ? "continue" : "pause"}</button>`}
      <button onClick=${toggleDark}>${isDark ? "light" : "dark"}</button>
      <small><kbd>space</kbd> pause <kbd>←</kbd> <kbd>→</kbd> back and forth <kbd>j</kbd> <kbd>k</kbd> streams <kbd>d</kbd> dark</small></header>
    <${Problem} problem=${page.problem ?? stream.problem} />
    <${Fleet} fleet=${fleet.value} at=${fleet.at} page=${page.value} budget=${Math.min(1e8, Math.max(1, Number(at.budget) || 1000))} />
    <main><${Streams} page=${page.value} selected=${selected} knowsAccepted=${isAlone(fleet.value)} />
      ${shown && html`<${StreamView} key=${selected} id=${selected} stream=${shown} isDark=${isDark} targets=${targets}
        target=${Math.min(targets - 1, Number(at.target) || 0)} channels=${model.value?.channels ?? []} />`}
      ${!shown && stream.problem?.status === 404 && html`<section><h2>${selected}</h2><p class="quiet">There is no such stream.</p></section>`}</main>`;
}

render(html`<${Studio} />`, document.getElementById("studio"));
