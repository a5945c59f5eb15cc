#!/usr/bin/env node
// Streams rows through a graph of `elastane export` in ONNX Runtime, and writes its outputs, one row per step.
//
//   node tests/onnx/steps.js MODEL.onnx X.csv Y.csv          X.csv: a header, then one row of inputs per step
//   node tests/onnx/steps.js MODEL.onnx X.csv Y.csv --make 200   writes X.csv first: that many rows of normal numbers
//   node tests/onnx/steps.js MODEL.onnx X.csv Y.csv --streams 3  the same rows in three streams at once, which must agree
//
// Then: elastane check-import MODEL.safetensors --inputs X.csv --outputs Y.csv
'use strict';
const fs = require('fs');
const ort = require('onnxruntime-node');

// normal numbers by Box and Muller from a linear congruence: the same on every machine
function* normals(seed) {
  let state = BigInt(seed);
  const uniform = () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return (Number(state >> 11n) + 0.5) / 2 ** 53;
  };
  for (;;) yield Math.fround(Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}

const header = (name, count) => Array.from({ length: count }, (_, i) => name + i).join(',');

function makeRows(path, rows, columns) {
  const source = normals(1);
  const lines = [header('x', columns)];
  for (let r = 0; r < rows; ++r) lines.push(Array.from({ length: columns }, () => source.next().value).join(','));
  fs.writeFileSync(path, lines.join('\n') + '\n');
}

const readRows = (path) =>
  fs.readFileSync(path, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));

// the same row, or zeros, for every stream; other sizes are those that the graph declares
function tensor(shape, streams, row) {
  const sizes = shape.map((size) => (typeof size === 'number' && size > 0 ? size : streams));
  const data = new Float32Array(sizes.reduce((a, b) => a * b, 1));
  if (row) for (let s = 0; s < streams; ++s) data.set(row, s * row.length);
  return new ort.Tensor('float32', data, sizes);
}

async function main() {
  const [model, x, y, ...rest] = process.argv.slice(2);
  const given = (name, otherwise) => (rest.includes(name) ? Number(rest[rest.indexOf(name) + 1]) : otherwise);
  const streams = given('--streams', 1);
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const shapes = new Map(session.inputMetadata.map((each) => [each.name, each.shape]));
  const inputs = shapes.get('input')[1];
  if (given('--make', 0) > 0) makeRows(x, given('--make', 0), inputs);

  // states are zero before the first step
  const states = session.inputNames.filter((name) => name !== 'input');
  const feeds = Object.fromEntries(states.map((name) => [name, tensor(shapes.get(name), streams)]));
  const lines = [];
  for (const row of readRows(x)) {
    feeds.input = tensor(shapes.get('input'), streams, row);
    const results = await session.run(feeds);
    const outputs = results.output.data, width = outputs.length / streams;
    for (let i = width; i < outputs.length; ++i) {
      if (outputs[i] !== outputs[i % width]) throw new Error(`${model}: streams with the same rows differ`);
    }
    if (lines.length === 0) lines.push(header('y', width));
    lines.push(Array.from(outputs.slice(0, width)).join(','));
    for (const name of states) feeds[name] = results[name + '.next'];
  }
  fs.writeFileSync(y, lines.join('\n') + '\n');
}

main().catch((error) => {
  console.error(`steps.js: ${error.message}`);
  process.exit(1);
});
