// Where the page gets its figures: the server it came from, or a recorded run that is part of it.
import {token} from "./address.js";

const recorded = document.getElementById("recorded");
export const kSlots = 60;

const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

async function get(path) {
  const answer = await fetch(path, token() ? {headers: {Authorization: `Bearer ${token()}`}} : {});
  if (!answer.ok) throw Object.assign(new Error(`${path}: ${answer.status}`), {status: answer.status});
  return answer.text();
}

const path = (id, what) => `/v1/streams/${encodeURIComponent(id)}/${what}`;

// the server: what is there now
const live = {
  model: async () => JSON.parse(await get("/v1/models")),
  fleet: async () => JSON.parse(await get("/v1/fleet")),
  streams: async (limit) => JSON.parse(await get(`/v1/streams?order=compute&map=1&limit=${limit}`)),
  // names that begin with these letters
  named: async (text) => JSON.parse(await get(`/v1/streams?limit=50&map=1&after=${encodeURIComponent(before(text))}`)).streams
    .filter((stream) => stream.id.startsWith(text)),
  last: async (id) => JSON.parse(await get(path(id, "forecast"))).row,
  forecasts: async (id, from, limit) => lines(await get(path(id, `forecasts?from=${from}&limit=${limit}`))),
  rows: async (id, from, limit) => lines(await get(path(id, `rows?from=${from}&limit=${limit}`))),
};

// the name after which all names come that begin with these letters
function before(text) {
  const last = text.charCodeAt(text.length - 1);
  return last > 1 ? text.slice(0, -1) + String.fromCharCode(last - 1) + "\uffff" : "";
}

// a run of elastane run: streams by id, compute in slots of equal length over the whole run
function replay(text, rowText) {
  const byId = new Map(), rowsById = new Map(), values = new Map();
  for (const line of lines(rowText)) values.set(line.row, line.values);  // by the number that the run gave them
  for (const line of lines(text)) {
    const id = line.id ?? "run";
    if (!byId.has(id)) [byId, rowsById].forEach((map) => map.set(id, []));
    const row = byId.get(id).length + 1;
    byId.get(id).push({...line, row});
    if (values.has(line.row)) rowsById.get(id).push({row, values: values.get(line.row)});
  }
  const summary = (id, own) => {
    const map = new Array(kSlots).fill(0), rowMap = new Array(kSlots).fill(0);
    own.forEach((line, i) => {
      const slot = Math.floor((kSlots * i) / own.length);
      map[slot] += line.learned ?? 0;
      rowMap[slot] += 1;
    });
    const depth = own.reduce((total, line) => total + (line.learned ?? 0), 0);
    return {id, rows: own.length, recent: own.length, depth, accepted: depth, drift: Boolean(own.at(-1).drift), map,
            row_map: rowMap};
  };
  const all = [...byId].map(([id, own]) => summary(id, own)).sort((a, b) => b.depth - a.depth || (a.id < b.id ? -1 : 1));
  const total = (key) => all.reduce((sum, each) => sum + each[key], 0);
  const micros = [...byId.values()].flat().map((line) => line.micros).filter(Number.isFinite).sort((a, b) => a - b);
  const targets = [...byId.values()].flat().find((line) => line.forecast)?.forecast[0].length ?? 1;
  return {
    model: async () => ({targets, channels: lines(rowText)[0]?.channels ?? []}),
    fleet: async () => ({streams: all.length, forecasts: total("rows"), depth: total("depth"), partitions: [],
                         step_p50_us: quantile(micros, 0.5), step_p99_us: quantile(micros, 0.99), step_times: buckets(micros)}),
    streams: async (limit) => ({count: all.length, streams: all.slice(0, limit)}),
    named: async (letters) => all.filter((stream) => stream.id.startsWith(letters)),
    last: async (id) => byId.get(id)?.length ?? 0,
    forecasts: async (id, from, limit) => (byId.get(id) ?? []).slice(from - 1, from - 1 + limit),
    rows: async (id, from, limit) => (rowsById.get(id) ?? []).filter((line) => line.row >= from && line.row < from + limit),
  };
}

const quantile = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

// as the server counts them: buckets that double, from 1 µs on
function buckets(sorted) {
  const found = [];
  for (const value of sorted) {
    const at = Math.max(0, Math.ceil(Math.log2(Math.max(value, 1e-9))));
    while (found.length <= at) found.push({upto_us: 2 ** found.length, rows: 0});
    found[at].rows += 1;
  }
  return found;
}

export const isRecorded = recorded !== null;
export const source = isRecorded ? replay(recorded.textContent, document.getElementById("rows")?.textContent ?? "") : live;
