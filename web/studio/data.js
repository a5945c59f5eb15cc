// Where the page gets its figures: the server it came from, or a recorded run that is part of it.
const recorded = document.getElementById("recorded");
const token = new URLSearchParams(location.hash.slice(1)).get("token");

const lines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

async function get(path) {
  const answer = await fetch(path, token ? {headers: {Authorization: `Bearer ${token}`}} : {});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

// the server: what is there now
const live = {
  fleet: async () => JSON.parse(await get("/v1/fleet")),
  streams: async (limit) => JSON.parse(await get(`/v1/streams?order=compute&map=1&limit=${limit}`)),
  last: async (id) => JSON.parse(await get(`/v1/streams/${encodeURIComponent(id)}/forecast`)).row,
  forecasts: async (id, from, limit) =>
    lines(await get(`/v1/streams/${encodeURIComponent(id)}/forecasts?from=${from}&limit=${limit}`)),
  rows: async (id, from, limit) =>
    lines(await get(`/v1/streams/${encodeURIComponent(id)}/rows?from=${from}&limit=${limit}`)),
};

// a run of elastane run: streams by id, compute in sixty slots of equal length
function replay(text) {
  const byId = new Map();
  for (const line of lines(text)) {
    const id = line.id ?? "run";
    if (!byId.has(id)) byId.set(id, []);
    byId.get(id).push({...line, row: byId.get(id).length + 1});
  }
  const summary = (id, own) => {
    const map = new Array(60).fill(0);
    own.forEach((line, i) => (map[Math.floor((60 * i) / own.length)] += line.learned ?? 0));
    const sum = (key) => own.reduce((total, line) => total + Number(line[key] ?? 0), 0);
    return {id, rows: own.length, recent: own.length, depth: sum("learned"), accepted: sum("learned"), micros: sum("micros"),
            drift: own.at(-1).drift, map};
  };
  const all = [...byId].map(([id, own]) => summary(id, own)).sort((a, b) => b.depth - a.depth);
  const total = all.reduce((sum, each) => sum + each.rows, 0);
  return {
    fleet: async () => ({streams: all.length, rows: total, partitions: []}),
    streams: async (limit) => ({count: all.length, streams: all.slice(0, limit)}),
    last: async (id) => byId.get(id)?.length ?? 0,
    forecasts: async (id, from, limit) => (byId.get(id) ?? []).slice(from - 1, from - 1 + limit),
    rows: async () => [],
  };
}

export const isRecorded = recorded !== null;
export const source = isRecorded ? replay(recorded.textContent) : live;
