// Bundles the studio into built/studio.js and built/studio.css; --check: fails if they are not what the sources give.
import {build} from "esbuild";
import {createHash} from "node:crypto";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";

const kMost = 60 * 1024;  // bytes, packed
const made = await build({
  entryPoints: {studio: "main.js"}, bundle: true, minify: true, format: "iife", target: "es2022", write: false,
  outdir: "built", legalComments: "inline", charset: "utf8",
});
const styles = await build({
  stdin: {contents: '@import "uplot/dist/uPlot.min.css"; @import "./style.css";', resolveDir: ".", loader: "css"},
  bundle: true, minify: true, write: false, charset: "utf8",
});
const files = {"built/studio.js": made.outputFiles[0].text, "built/studio.css": styles.outputFiles[0].text};
// what it was built from, for a check without npm (tools/check_studio)
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
const sources = readdirSync(".").filter((name) => /\.(js|mjs|css|json)$/.test(name)).sort();
files["built/sources.txt"] = [...sources.map((name) => [readFileSync(name), name]),
                              ...Object.entries(files).map(([name, text]) => [text, name])]
  .map(([bytes, name]) => `${hash(bytes)}  ${name}\n`).join("");
let packed = 0, isSame = true;
for (const [path, text] of Object.entries(files)) {
  packed += path.endsWith(".txt") ? 0 : gzipSync(text).length;
  if (process.argv.includes("--check")) {
    isSame = isSame && readFileSync(path, "utf8") === text;
  } else {
    writeFileSync(path, text);
  }
}
console.log(`studio: ${packed} bytes packed`);
if (!isSame) console.error("studio: built/ is not what the sources give; run npm run build in web/studio");
process.exit(isSame && packed <= kMost ? 0 : 1);
