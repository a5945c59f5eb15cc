// Numbers as people read them.
export const whole = (value) => Math.round(value ?? 0).toLocaleString("en-US");
export const short = (value, digits = 3) => (Number.isFinite(value) ? Number(value.toPrecision(digits)).toString() : "–");
export const percent = (share) => (Number.isFinite(share) ? `${share > 0 && share < 0.001 ? "< 0.1" : (100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %` : "–");
export const micros = (value) => (value >= 1000 ? `${short(value / 1000)} ms` : `${short(value)} µs`);
