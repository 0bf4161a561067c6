/**
 * A worker whose server has started a daemon. It prints what the server sees of itself, or why there is none. Its first
 * argument is a word by which the server and the daemon are known; after it come the folders of the system's tools.
 */
import { openServerLauncher } from "../server-launcher.ts";
import { launchNode, linesOf } from "./servers.ts";

const CODE = `const word = process.argv.at(-1);
require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)", "--", word],
  { detached: true, stdio: "ignore" }).unref();
console.log(JSON.stringify({ pid: process.pid, uid: process.getuid() }));
setInterval(() => {}, 1e6);`;

const [, , word = "", ...toolFolders] = process.argv;
try {
  const server = await launchNode(openServerLauncher({ toolFolders }), CODE, [word]);
  process.stdout.write(`${await linesOf(server)()}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: (error as Error).message })}\n`);
}
