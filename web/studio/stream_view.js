// One stream: truth against the forecast that was made one row before, its interval and what is ahead; compute below, on the
// same axis; a slider over all its rows.
import {useEffect, useRef} from "preact/hooks";
import uPlot from "uplot";
import {goTo} from "./address.js";
import {columns, scores} from "./columns.js";
import {percent, short, whole} from "./format.js";
import {html} from "./html.js";

const kRight = 54;  // pixels at the right of both plots, so that their rows are above each other

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// stretches in which the alarm was on, and where the rows that are known end
const marks = (data) => ({hooks: {drawClear: [(plot) => {
  const {drift, x, corrections} = data.current, {left, top, width, height} = plot.bbox, pen = plot.ctx;
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  pen.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  let line = 0, free = -Infinity;  // names of alarms that follow soon are below each other
  drift.forEach((kind, i) => {
    if (!kind) return;
    const from = plot.valToPos(x[i] - 0.5, "x", true), to = plot.valToPos(x[i] + 0.5, "x", true);
    pen.fillStyle = css("--alarm-area");
    pen.fillRect(from, top, to - from, height);
    if (drift[i - 1] === kind) return;
    pen.fillStyle = css("--alarm");
    pen.fillRect(from, top, 1.5, height);
    line = from < free ? line + 1 : 0;
    free = from + pen.measureText(kind).width + 8;
    pen.fillText(kind, from + 4, top + 12 * (line + 1) * devicePixelRatio);
  });
  const known = corrections.findLastIndex((value) => value !== null);
  if (known >= 0 && known < x.length - 1) {
    const at = plot.valToPos(x[known] + 0.5, "x", true);
    pen.fillStyle = css("--ahead");
    pen.fillRect(at, top, left + width - at, height);
  }
  pen.restore();
}]}});

const dateOf = (time) => (typeof time === "string" ? time.slice(5, 16).replace("T", " ") : "");

// numbers of rows, with the dates of those that have one
const rowAxis = (data) => ({
  stroke: css("--faint"), grid: {stroke: css("--grid"), width: 1}, ticks: {stroke: css("--grid"), width: 1}, size: 42, space: 90,
  values: (plot, splits) => splits.map((n) => {
    const date = Number.isInteger(n) ? dateOf(data.current.time[n - data.current.x[0]]) : "";
    return Number.isInteger(n) ? (date ? `${n}\n${date}` : `${n}`) : "";
  }),
});
const valueAxis = () => ({stroke: css("--faint"), grid: {stroke: css("--grid"), width: 1}, ticks: {stroke: css("--grid"), width: 1}, size: 60});
const shown = (plot, value) => (value === null || value === undefined ? "–" : short(value, 5));

function plots(at, data) {
  const size = () => ({width: Math.max(200, at.clientWidth), cursor: {sync: {key: "stream"}}, scales: {x: {time: false}}});
  const line = (label, stroke, more) => ({label, stroke: css(stroke), value: shown, points: {show: false}, ...more});
  const upper = new uPlot({...size(), height: 330, padding: [null, kRight, null, null], plugins: [marks(data)], axes: [rowAxis(data), valueAxis()],
    bands: [{series: [5, 4], fill: css("--band")}], series: [
      {label: "row"}, line("truth", "--truth", {width: 2}), line("forecast one row ahead", "--accent", {width: 2}),
      line("unusual", "--alarm", {width: 0, points: {show: true, size: 7, fill: css("--alarm")}, paths: () => null}),
      line("lower", "--edge"), line("upper", "--edge")]}, [[], [], [], [], [], []], at);
  const lower = new uPlot({...size(), height: 130, scales: {x: {time: false}, share: {range: [0, 1]}, y: {range: (plot, low, high) => [0, Math.max(1, high)]}},
    axes: [rowAxis(data), {...valueAxis(), incrs: [1, 2, 5, 10, 20, 50, 100]},
           {...valueAxis(), scale: "share", side: 1, grid: {show: false}, size: kRight, values: (plot, splits) => splits.map((share) => `${Math.round(100 * share)} %`)}],
    series: [{label: "row"}, line("corrections", "--compute", {fill: css("--compute-area"), paths: uPlot.paths.bars({size: [0.8]})}),
             line("rows corrected, of the last 20", "--accepted", {scale: "share", width: 1.5, value: (plot, share) => percent(share ?? NaN)})]}, [[], [], []], at);
  const resize = new ResizeObserver(() => [upper, lower].forEach((plot) => plot.setSize({width: Math.max(200, at.clientWidth), height: plot.height})));
  resize.observe(at);
  return {upper, lower, end: () => [resize.disconnect(), upper.destroy(), lower.destroy()]};
}

function Plots({data, isDark}) {
  const box = useRef(null), made = useRef(null), kept = useRef(data);
  kept.current = data;
  useEffect(() => {
    made.current = plots(box.current, kept);
    return () => made.current.end();
  }, [isDark]);
  useEffect(() => {
    const c = data;
    made.current.upper.setData([c.x, c.truth, c.forecast, c.unusual, c.lower, c.upper]);
    made.current.lower.setData([c.x, c.corrections, c.corrected]);
  }, [data, isDark]);
  return html`<div class="plots" ref=${box}></div>`;
}

const Fact = ({name, children}) => html`<span><b>${children}</b> ${name}</span>`;

export function StreamView({id, stream, target, channels, targets, isDark}) {
  const {forecasts, rows, last: newest} = stream;
  const c = columns(forecasts, rows, target), score = scores(c);
  const last = forecasts.at(-1), at = (key) => last?.[key]?.[0]?.[target];
  const share = forecasts.length ? forecasts.filter((line) => line.learned > 0).length / forecasts.length : 0;
  const choose = (event) => goTo({stream: id, row: event.target.value, paused: "1"});
  return html`<section class="stream">
    <header><h2 title=${id}>${id}</h2>
      ${targets > 1 && html`<select value=${target} aria-label="channel" onChange=${(event) => goTo({target: event.target.value})}>
        ${Array.from({length: targets}, (_, i) => html`<option value=${i}>${channels[i] ?? `channel ${i + 1}`}</option>`)}</select>`}
      ${last?.drift ? html`<b class="alarm">alarm: ${last.drift}</b>` : html`<span class="quiet">no alarm</span>`}</header>
    <p class="facts" data-row=${last?.row} data-forecast=${at("forecast")} data-lower=${at("lower")} data-upper=${at("upper")}
       data-depth=${last?.learned} data-accepted=${share} data-rows=${rows.length} data-within=${score.within}>
      <${Fact} name=${dateOf(last?.time) && `(${dateOf(last.time)})`}>row ${whole(last?.row)}</${Fact}>
      <${Fact} name=${`next (${short(at("lower"), 5)} to ${short(at("upper"), 5)})`}>${short(at("forecast"), 5)}</${Fact}>
      <${Fact} name="corrections after this row">${last?.learned ?? "–"}</${Fact}>
      <${Fact} name="of the rows shown corrected">${percent(share)}</${Fact}>
      ${score.count > 0 && html`<${Fact} name="mean error">${short(score.error)}</${Fact}>
        <${Fact} name="within the interval">${percent(score.within)}</${Fact}>`}</p>
    <${Plots} data=${c} isDark=${isDark} />
    <label class="scrub">row <input type="range" min="1" max=${Math.max(1, newest)} value=${last?.row ?? 1} onInput=${choose}
      aria-label="the last row shown" /> <output>${whole(last?.row)} of ${whole(newest)}</output></label>
  </section>`;
}
