// Runs at every install: builds the web console into a folder that git ignores, unless its stamp says that this very
// content was built already. What is served compressed is compressed here, once.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = join(root, "apps", "console");
const dist = join(folder, "dist");
const stamp = join(dist, ".stamp");
const SOURCES = [
  "apps/console",
  "libs/core/src",
  "libs/sdk/client/src",
  "package-lock.json",
  "deploy/install/build-console.mjs",
];
const COMPRESSED = new Set([".css", ".html", ".js", ".json", ".svg", ".ttf", ".txt"]);
/** Below this many bytes compression saves nothing worth a file. */
const COMPRESSED_BYTES_MIN = 512;
/** Three quarters of the time go at a price of some of the bytes; what everybody waits for at first is worth that time. */
const QUALITY = 6;
const QUALITY_AT_FIRST = 11;

/** Every file at or below a path, in one order. */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "node_modules" && name !== "dist")
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

function hashOfSources() {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((source) => filesOf(join(root, source))))
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  return hash.digest("hex");
}

function compressAll() {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const isFirst = (name) => page.includes(`/${name.replaceAll("\\", "/")}"`);
  for (const name of readdirSync(dist, { recursive: true })) {
    const path = join(dist, name);
    if (!COMPRESSED.has(extname(path)) || !statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    if (bytes.length < COMPRESSED_BYTES_MIN) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: isFirst(name) ? QUALITY_AT_FIRST : QUALITY },
      }),
    );
  }
}

const hash = hashOfSources();
if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) process.exit(0);
const vite = join(
  dirname(createRequire(join(folder, "package.json")).resolve("vite/package.json")),
  "bin",
  "vite.js",
);
const { status } = spawnSync("node", [vite, "build", "--emptyOutDir", "--logLevel", "warn"], {
  cwd: folder,
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) {
  console.error("Building the console failed.");
  process.exit(1);
}
compressAll();
writeFileSync(stamp, hash);
