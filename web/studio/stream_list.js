// Streams by where compute went, as a map and as a list; or those whose names begin with what was typed.
import {useEffect, useState} from "preact/hooks";
import {goTo} from "./address.js";
import {source} from "./data.js";
import {percent, short, whole} from "./format.js";
import {HeatMap} from "./heat_map.js";
import {html} from "./html.js";

const kShown = 100;
let readyAt = null;  // milliseconds after which the list was there

function useNamed(text) {
  const [found, set] = useState(null);
  useEffect(() => {
    if (!text) return set(null);
    let isOver = false;
    source.named(text).then((streams) => !isOver && set(streams), () => !isOver && set([]));
    return () => (isOver = true);
  }, [text]);
  return found;
}

const perRow = (stream) => (stream.recent > 0 ? stream.depth / stream.recent : NaN);

function Line({stream, most, isSelected, knowsAccepted}) {
  return html`<tr class=${isSelected ? "selected" : ""} onClick=${() => goTo({stream: stream.id, row: ""})}>
    <td title=${stream.id}>${stream.id}</td>
    <td class="bar"><i style=${{width: `${most > 0 ? (100 * stream.depth) / most : 0}%`}}></i>${whole(stream.depth)}</td>
    <td>${short(perRow(stream))}</td>${knowsAccepted && html`<td>${stream.depth > 0 ? percent(stream.accepted / stream.depth) : "–"}</td>`}
    <td>${whole(stream.rows)}</td><td>${stream.drift && html`<b class="alarm" title="the drift alarm is on">alarm</b>`}</td></tr>`;
}

export function Streams({page, selected, knowsAccepted}) {
  const [text, type] = useState(""), [count, setCount] = useState(kShown);
  const named = useNamed(text);
  if (!page) return html`<section class="streams"><p class="quiet">…</p></section>`;
  readyAt ??= performance.now();
  const listed = named ?? page.streams, most = Math.max(0, ...page.streams.map((stream) => stream.depth));
  return html`<section class="streams" data-count=${page.count} data-ready-ms=${Math.round(readyAt)}>
    <h2>Where compute went</h2>
    ${page.streams.length === 0 ? html`<p class="quiet">There are no streams yet. A stream begins with its first row:<br />
      <code>elastane feed load.csv --id north</code></p>`
      : html`<${HeatMap} streams=${page.streams} selected=${selected} slotSeconds=${page.slot_seconds}
          onPick=${(id, row) => goTo(row ? {stream: id, row: String(row), paused: "1"} : {stream: id, row: ""})} />`}
    <input type="search" placeholder=${`find one of ${whole(page.count)} streams by the beginning of its name`} value=${text}
      onInput=${(event) => type(event.target.value)} aria-label="find a stream" />
    <table class="list"><thead><tr><th>stream</th><th title="corrections lately">K</th><th title="corrections per row">per row</th>
      ${knowsAccepted && html`<th title="share of corrections that were accepted">accepted</th>`}<th>rows</th><th></th></tr></thead>
    <tbody>${listed.slice(0, count).map((stream) => html`<${Line} key=${stream.id} stream=${stream} most=${most}
      isSelected=${stream.id === selected} knowsAccepted=${knowsAccepted} />`)}</tbody></table>
    ${named?.length === 0 && html`<p class="quiet">no stream begins with “${text}”</p>`}
    ${count < listed.length && html`<button onClick=${() => setCount(count + kShown)}>more</button>`}
  </section>`;
}
