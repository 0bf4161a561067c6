import { setTimeout as delay } from "node:timers/promises";
import type { SandboxPool } from "@bulkhead/sandbox";
import { Listener, runHeard, toolRun } from "./tool-run.ts";

/** The clean globals of another tenant's tool, so that whatever crosses over is seen in its answer. */
const CODE = `
  console.log("canary", args.n);
  const odd = Object.keys(Object.prototype).length + Object.keys(Array.prototype).length;
  return { n: args.n * 2, odd, list: [1, 2].map((x) => x + args.n), leftovers: typeof leftover };
`;
const PAUSE_MS = 15;

/** Another tenant who does its work all along, a small run after another, and checks each answer. */
export class Canary {
  runs = 0;
  /** Answers that were not right, in words. */
  readonly faults: string[] = [];
  msMax = 0;
  readonly #pool: SandboxPool;
  #singing: Promise<void> | null = null;
  #stopped = false;

  constructor(pool: SandboxPool) {
    this.#pool = pool;
  }

  /** Resolves when its own process has served it once. */
  async start(): Promise<void> {
    await this.#sing(0);
    this.msMax = 0;
    this.#singing = this.#singOn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#singing;
  }

  async #singOn(): Promise<void> {
    for (let n = 1; !this.#stopped; n += 1) {
      await this.#sing(n);
      await delay(PAUSE_MS);
    }
  }

  async #sing(n: number): Promise<void> {
    const heard = new Listener();
    const run = toolRun({ code: CODE, argumentsJson: JSON.stringify({ n }), tenantId: "ten_canary" });
    const askedAt = performance.now();
    const verdict = await runHeard(this.#pool, run, heard);
    this.msMax = Math.max(this.msMax, performance.now() - askedAt);
    this.runs += 1;
    const right = JSON.stringify({ n: n * 2, odd: 0, list: [1 + n, 2 + n], leftovers: "undefined" });
    const said = heard.said.join("\n");
    if (verdict.outcome !== "returned" || verdict.json !== right || said !== `info: canary ${n}`)
      this.faults.push(`${JSON.stringify(verdict)} and ${JSON.stringify(said.slice(0, 200))}`);
  }
}
