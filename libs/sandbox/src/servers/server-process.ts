import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { Duplex, Readable, Writable } from "node:stream";
import type { McpProcess } from "@bulkhead/core";
import { mayEnd } from "../layers/may-end.ts";
import { removeGroup, type MemoryGroup } from "../layers/memory-group.ts";
import type { MemoryGroups } from "../layers/memory-groups.ts";
import { OOM_SCORE } from "../pool/spawn-sandbox.ts";
import { LastWords } from "./last-words.ts";
import { ENTRY_FD, environmentText } from "./server-links.ts";

/** From the start of the first link until the server itself is started. */
const START_MS_MAX = 10_000;

/** A start that came to nothing, with the reason. */
export class ServerStartError extends Error {
  override readonly name = "ServerStartError";
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The process of one server. The child is the one that has made the namespaces: it waits for process 1 in them, which the
 * kernel lets go only when all others in there are gone. So process 1 is what is killed, and the child's end is theirs.
 */
export class ServerProcess implements McpProcess {
  readonly ended: Promise<void>;
  readonly #child: Child;
  readonly #entry: Duplex;
  readonly #words: LastWords;
  readonly #groups: MemoryGroups | null;
  #group: MemoryGroup | null = null;
  #enclosing: Promise<void> = Promise.resolve();
  /** Process 1 in there, by its id out here; null until it is known. */
  #first: number | null = null;
  #crossedMemory = false;
  #isKilled = false;
  #isOver = false;

  private constructor(child: Child, groups: MemoryGroups | null) {
    this.#child = child;
    this.#groups = groups;
    this.#entry = child.stdio[ENTRY_FD] as Duplex;
    this.#words = new LastWords(child.stderr);
    // Who writes to a process that is gone learns of it by its end.
    for (const stream of [child.stdin, child.stdout, this.#entry]) stream.on("error", () => stream.destroy());
    // After a start, that it may not be killed: then it is told nothing, and ends by that.
    child.on("error", () => this.#entry.destroy());
    this.ended = new Promise<void>((resolve) => child.once("exit", () => resolve(this.#settle())));
  }

  /**
   * Starts the command behind its links, and tells it its environment when all that is planned stands around it. Rejects
   * with a ServerStartError when nothing of it is left. When the signal fires it is killed.
   */
  static async start(
    [file = "", ...args]: readonly string[],
    environment: Readonly<Record<string, string>>,
    groups: MemoryGroups | null,
    signal: AbortSignal,
  ): Promise<ServerProcess> {
    if (signal.aborted) throw new ServerStartError("the worker is stopping");
    // The links have no environment: see the last of them.
    const child = spawn(file, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe", "pipe"] });
    // Where descriptors run out there are no streams either.
    if (child.pid === undefined)
      throw new ServerStartError(((await once(child, "error")) as [Error])[0].message);
    const server = new ServerProcess(child, groups);
    const kill = (): void => server.kill();
    signal.addEventListener("abort", kill, { once: true });
    void server.ended.then(() => signal.removeEventListener("abort", kill));
    try {
      await server.#untilReady();
      await (server.#enclosing = server.#enclose(child.pid));
      server.#entry.end(environmentText(environment));
      return server;
    } catch (error) {
      server.kill();
      await server.ended;
      throw new ServerStartError(server.#words.text.trim().split("\n")[0] || (error as Error).message);
    }
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  get lastWords(): string {
    if (!this.#crossedMemory) return this.#words.text;
    return `It needed more than the ${this.#groups?.limitMib} MiB of memory that it may use.`;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  kill(): void {
    this.#isKilled = true;
    if (this.#isOver) return;
    if (this.#first === null) {
      // Whoever waits for an environment ends without it.
      this.#child.kill("SIGKILL");
      this.#entry.destroy();
      return;
    }
    try {
      process.kill(this.#first, "SIGKILL");
    } catch {
      // It has ended, and the one that waits for it has not been heard yet.
    }
  }

  /** Resolves when the last link waits for the environment. */
  async #untilReady(): Promise<void> {
    const waited = Promise.withResolvers<void>();
    const late = (): void => waited.reject(new Error(`it did not start within ${START_MS_MAX} ms`));
    const timer = setTimeout(late, START_MS_MAX);
    this.#entry.once("data", () => waited.resolve());
    void this.ended.then(() => waited.reject(new Error("it ended at once")));
    await waited.promise.finally(() => clearTimeout(timer));
  }

  async #enclose(pid: number): Promise<void> {
    const first = Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
    // Zero would stand for the worker's own group.
    if (!(first > 1)) throw new Error("it ended at once");
    if (!mayEnd(first) || !mayEnd(pid)) throw new Error("the worker may not end processes of another user");
    this.#first = first;
    // Where this is not allowed the kernel chooses by size.
    await writeFile(`/proc/${first}/oom_score_adj`, `${OOM_SCORE}`).catch(() => undefined);
    this.#group = (await this.#groups?.make()) ?? null;
    await this.#group?.add(first);
  }

  async #settle(): Promise<void> {
    this.#isOver = true;
    this.#crossedMemory = this.#group?.wasCrossed() ?? false;
    this.#entry.destroy();
    this.#child.stdin.destroy();
    // One who has killed it hears no more of it; another may still read what it said.
    if (this.#isKilled) this.#child.stdout.destroy();
    this.#words.finish();
    await this.#words.ended;
    // The group may still be in the making; whoever starts the server hears what became of it.
    await this.#enclosing.catch(() => undefined);
    await removeGroup(this.#group);
  }
}
