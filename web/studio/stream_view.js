// One stream: truth against the forecast that was made one row before, its interval, compute below on the same axis.
import {useEffect, useRef} from "preact/hooks";
import uPlot from "uplot";
import {html} from "./html.js";

// columns for the plots; a forecast of row n was made after row n − 1
export function columns(forecasts, rows, target = 0) {
  const truth = new Map(rows.map((row) => [row.row, row.values[target]]));
  const made = new Map(forecasts.map((line) => [line.row, line]));
  const first = forecasts.length ? forecasts[0].row : 1, last = forecasts.length ? forecasts.at(-1).row + 1 : 0;
  const out = {x: [], truth: [], forecast: [], lower: [], upper: [], depth: [], accepted: [], drift: []};
  for (let n = first; n <= last; n += 1) {
    const before = made.get(n - 1), own = made.get(n);
    out.x.push(n);
    out.truth.push(truth.get(n) ?? null);
    for (const key of ["forecast", "lower", "upper"]) out[key].push(before?.[key]?.[0]?.[target] ?? null);
    out.depth.push(own?.learned ?? null);
    out.accepted.push(own?.learned ?? null);
    out.drift.push(own?.drift ?? false);
  }
  return out;
}

// a line where the alarm began
const alarms = (data) => ({hooks: {draw: [(plot) => {
  plot.ctx.save();
  plot.ctx.strokeStyle = "#d64545";
  data.current.drift.forEach((on, i) => {
    if (!on || data.current.drift[i - 1]) return;
    const x = plot.valToPos(data.current.x[i], "x", true);
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, plot.bbox.top);
    plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
    plot.ctx.stroke();
  });
  plot.ctx.restore();
}]}});

const kAxis = {stroke: "#8894a4", grid: {stroke: "#8894a433"}};

function plots(at, data) {
  const size = {width: at.clientWidth || 800, cursor: {sync: {key: "stream"}}, scales: {x: {time: false}}, axes: [kAxis, kAxis]};
  const upper = new uPlot({...size, height: 300, plugins: [alarms(data)], bands: [{series: [4, 3], fill: "#2f7fd122"}], series: [
    {label: "row"}, {label: "truth", stroke: "#e08a00", width: 2, points: {show: false}},
    {label: "forecast", stroke: "#2f7fd1", width: 2}, {label: "lower", stroke: "#2f7fd155"}, {label: "upper", stroke: "#2f7fd155"},
  ]}, [[], [], [], [], []], at);
  const lower = new uPlot({...size, height: 120, series: [
    {label: "row"}, {label: "K", stroke: "#8e44ad", fill: "#8e44ad33", paths: uPlot.paths.bars()},
    {label: "accepted", stroke: "#2e9e5b", fill: "#2e9e5b55", paths: uPlot.paths.bars()},
  ]}, [[], [], []], at);
  return {upper, lower};
}

export function StreamView({id, forecasts, rows}) {
  const box = useRef(null), made = useRef(null), data = useRef(columns([], []));
  useEffect(() => {
    made.current = plots(box.current, data);
    return () => [made.current.upper, made.current.lower].forEach((plot) => plot.destroy());
  }, []);
  useEffect(() => {
    const c = (data.current = columns(forecasts, rows));
    made.current.upper.setData([c.x, c.truth, c.forecast, c.lower, c.upper]);
    made.current.lower.setData([c.x, c.depth, c.accepted]);
  }, [forecasts, rows]);
  const last = forecasts.at(-1), learned = forecasts.filter((line) => line.learned > 0);
  const share = forecasts.length ? learned.length / forecasts.length : 0;
  return html`<section>
    <h2>${id}</h2>
    <p class="figures" data-row=${last?.row} data-forecast=${last?.forecast?.[0]?.[0]} data-lower=${last?.lower?.[0]?.[0]}
       data-upper=${last?.upper?.[0]?.[0]} data-depth=${last?.learned} data-accepted=${share}>
      row ${last?.row ?? "–"}; next ${last?.forecast?.[0]?.[0]?.toPrecision(6) ?? "–"}; K ${last?.learned ?? "–"};
      learned in ${(100 * share).toFixed(0)} % of rows; ${last?.drift ? `drift: ${last.drift}` : "no alarm"}</p>
    <div class="plots" ref=${box}></div>
  </section>`;
}
