// Runs at every install: writes what of the client follows from the API's document. A program of its own, since the shell of
// the install's steps keeps the Node that it found first, which strips no types where the project's own was linked just now.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { status } = spawnSync("node", ["libs/sdk/build/write-main.ts"], {
  cwd: join(dirname(fileURLToPath(import.meta.url)), "..", ".."),
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status !== 0) {
  console.error("Writing the client's types failed.");
  process.exit(1);
}
