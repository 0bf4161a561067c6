import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { leakCheck, until } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closedToOthers } from "../layers/closed-folder.ts";
import { findTools, TOOL_FOLDERS } from "../layers/find-tools.ts";
import { asksFor, pidsWith, toolsThatRefuse } from "./testing/servers.ts";

leakCheck();
const PROGRAM = fileURLToPath(new URL("testing/server-worker-program.ts", import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const isReachable = closedToOthers([process.execPath, PROGRAM]) === null;
let folder: string;
let word: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "killed-"));
  word = randomUUID();
});
afterEach(() => rmSync(folder, { recursive: true }));

function startWorker({
  before = [],
  uid,
  toolFolders = TOOL_FOLDERS,
}: { before?: string[]; uid?: number; toolFolders?: readonly string[] } = {}): ChildProcess {
  const [file = "", ...args] = [...before, process.execPath, PROGRAM, word, ...toolFolders];
  const user = uid === undefined ? {} : { uid, gid: uid };
  return spawn(file, args, { stdio: ["ignore", "pipe", "inherit"], env: {}, cwd: "/", ...user });
}

/** What its server sees of itself, once it and its daemon are there. */
async function told(worker: ChildProcess): Promise<{ pid?: number; uid?: number; refused?: string }> {
  const lines = createInterface({ input: worker.stdout as NodeJS.ReadableStream });
  const [line] = (await once(lines, "line")) as [string];
  lines.close();
  return JSON.parse(line) as { pid?: number; uid?: number };
}

/** The processes of its server: the worker itself is none of them. */
const left = (worker: ChildProcess): number[] => pidsWith(word).filter((pid) => pid !== worker.pid);
const noneLeft = (worker: ChildProcess): Promise<unknown> =>
  until(() => left(worker).length === 0, { what: "nothing of its server is left" });

describe.skipIf(process.platform !== "linux")("a worker that is killed", () => {
  it("takes its servers along with their daemons, though none of them can notice", async () => {
    const worker = startWorker();
    expect(await told(worker)).toMatchObject({ pid: 1 });
    expect(left(worker).length).toBeGreaterThanOrEqual(3);
    for (const pid of left(worker)) process.kill(pid, "SIGSTOP");
    worker.kill("SIGKILL");
    await noneLeft(worker);
  });

  it("takes along a server that is only being started", async () => {
    const worker = startWorker();
    await until(() => left(worker).length > 0, { what: "the first of its processes is there" });
    worker.kill("SIGKILL");
    await noneLeft(worker);
  });

  it.skipIf(!isRoot || !isReachable)(
    "takes them along where it has no more rights than a container gives it",
    async () => {
      const setpriv = findTools(TOOL_FOLDERS).setpriv ?? "";
      const rights = [
        "--bounding-set=-all,+setuid,+setgid,+setpcap,+kill",
        "--inh-caps=-all",
        "--no-new-privs",
      ];
      const toolFolders = toolsThatRefuse(folder, asksFor("--mount"));
      const worker = startWorker({ before: [setpriv, ...rights], toolFolders });
      expect(await told(worker)).toMatchObject({ pid: 1 });
      worker.kill("SIGKILL");
      await noneLeft(worker);
    },
  );

  it.skipIf(!isRoot || !isReachable)("takes them along where it is not root", async () => {
    const worker = startWorker({ uid: NOBODY });
    const seen = await told(worker);
    // Where the system allows no user namespaces, there is no server without root, and it is said why.
    if (seen.refused === undefined) expect(seen).toMatchObject({ pid: 1, uid: NOBODY });
    else expect(seen.refused).toMatch(/^This worker starts no servers, /);
    worker.kill("SIGKILL");
    await noneLeft(worker);
  });
});
