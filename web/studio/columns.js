// Lines of forecasts and rows as columns for plots: by number of row, a forecast where the value is that it was made for.
const kRecent = 20;  // rows over which the share of corrected ones is taken

// a forecast of row n was made after row n − 1; beyond the last row are the forecasts made after it
export function columns(forecasts, rows, target = 0) {
  const truth = new Map(rows.map((row) => [row.row, row.values[target]]));
  const made = new Map(forecasts.map((line) => [line.row, line]));
  const out = {x: [], truth: [], forecast: [], lower: [], upper: [], corrections: [], corrected: [], unusual: [], drift: [], time: []};
  if (forecasts.length === 0) return out;
  const first = forecasts[0].row, last = forecasts.at(-1), ahead = last.forecast?.length ?? 0;
  for (let n = first; n <= last.row + ahead; n += 1) {
    const [line, step] = n <= last.row ? [made.get(n - 1), 0] : [last, n - last.row - 1], own = made.get(n);
    out.x.push(n);
    out.truth.push(truth.get(n) ?? null);
    for (const key of ["forecast", "lower", "upper"]) out[key].push(line?.[key]?.[step]?.[target] ?? null);
    out.corrections.push(own?.learned ?? null);
    out.unusual.push(own?.unusual || own?.refused ? (truth.get(n) ?? null) : null);
    out.drift.push(own?.drift || null);
    out.time.push(own?.time ?? null);
  }
  out.corrections.forEach((value, i) => {
    const lately = out.corrections.slice(Math.max(0, i - kRecent + 1), i + 1);
    out.corrected.push(value === null ? null : lately.filter((each) => each > 0).length / lately.length);
  });
  return out;
}

// how good the forecasts one row ahead were in this window
export function scores(c) {
  let count = 0, error = 0, within = 0;
  c.x.forEach((_, i) => {
    if (c.truth[i] === null || c.forecast[i] === null) return;
    count += 1;
    error += Math.abs(c.truth[i] - c.forecast[i]);
    within += c.truth[i] >= c.lower[i] && c.truth[i] <= c.upper[i] ? 1 : 0;
  });
  return {count, error: error / count, within: within / count};
}
