// Runs at every install: writes what is generated, the parts side by side, since none needs another.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const PARTS = ["generate-client.mjs", "write-sdk.mjs"];

/** Its exit code; 1 where it was killed. */
const run = (part) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, part)], { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });

process.exitCode = Math.max(...(await Promise.all(PARTS.map(run))));
