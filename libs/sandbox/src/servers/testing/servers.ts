import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { McpCommand, McpProcess } from "@bulkhead/core";
import { findTools, TOOL_FOLDERS } from "../../layers/find-tools.ts";
import type { ServerLauncher } from "../server-launcher.ts";

/** Starts JavaScript as a server of ten_a; what it and its children are known by comes after it in `process.argv`. */
export const launchNode = (
  launcher: ServerLauncher,
  code: string,
  args: readonly string[] = [],
  more: Partial<McpCommand> = {},
): Promise<McpProcess> =>
  launcher.launch({
    tenantId: "ten_a",
    command: process.execPath,
    args: ["-e", code, "--", ...args],
    env: {},
    ...more,
  });

/** The next lines of a server, one at a time. */
export function linesOf(server: McpProcess): () => Promise<string> {
  const lines = createInterface({ input: server.output })[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`the server has ended: ${server.lastWords}`);
    return value;
  };
}

/** The processes of this machine that have a word among their arguments. */
export const pidsWith = (word: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => argumentsOf(pid).includes(word))
    .map(Number);

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Where tools are looked for when `unshare` refuses where this line of a shell script is true; it is put into the folder. */
export function toolsThatRefuse(folder: string, condition: string): string[] {
  const path = join(folder, "unshare");
  const refuse = `if ${condition}; then echo "unshare: not permitted here" >&2; exit 1; fi`;
  writeFileSync(path, `#!/bin/sh\n${refuse}\nexec ${findTools(TOOL_FOLDERS).unshare} "$@"\n`);
  chmodSync(path, 0o755);
  chmodSync(folder, 0o755);
  return [folder, ...TOOL_FOLDERS];
}

/** True in a shell where `unshare` is asked for this. */
export const asksFor = (flag: string): string => `case " $* " in *" ${flag} "*) true;; *) false;; esac`;
