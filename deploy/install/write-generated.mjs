// Runs at every install: writes what is generated. The parts go side by side, since none needs another; the console is
// built of one of them, so it comes after.
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

const failed = Math.max(...(await Promise.all(PARTS.map(run))));
process.exitCode = failed === 0 ? await run("build-console.mjs") : failed;
