import type { Sandbox, SandboxHooks, SandboxLayerReport, SandboxRun, SandboxVerdict } from "@bulkhead/core";
import { Fleet } from "./fleet.ts";
import { requireLayers } from "../layers/require-layers.ts";
import { settleLaunch } from "../layers/settle-launch.ts";
import { poolSettings, type PoolSettings, type SandboxPoolOptions } from "./options.ts";
import { Placement } from "./placement.ts";
import { poolStats, type SandboxPoolStats } from "./pool-stats.ts";

/** A sandbox made of processes, each of which serves one tenant. */
export interface SandboxPool extends Sandbox {
  stats(): SandboxPoolStats;
  /**
   * What stands around every process of this pool, looked up once on a real one before the first run is served. Rejects
   * with a MissingLayersError where a required layer is not in force: then every run is `unavailable`.
   */
  layers(): Promise<SandboxLayerReport[]>;
}

/** Opens a pool and starts its blank processes; nothing of it is left when `close` has resolved. */
export const openSandboxPool = (options: SandboxPoolOptions = {}): SandboxPool =>
  new ProcessPool(poolSettings(options));

const RETIRE_EVERY_MS = 1_000;
/** Of a run that had no process. */
const NOTHING_RAN = { endedBy: "worker", process: "own" } as const;

class ProcessPool implements SandboxPool {
  readonly #settings: PoolSettings;
  readonly #fleet: Fleet;
  readonly #placement: Placement;
  readonly #retiring: NodeJS.Timeout;
  #closing: Promise<void> | null = null;
  readonly #giveUp = new AbortController();
  readonly #layers: Promise<SandboxLayerReport[]>;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#fleet = new Fleet(settings, {
      changed: () => this.#placement.serve(),
      lost: (tenantId) => this.#placement.lost(tenantId),
    });
    this.#placement = new Placement(settings, this.#fleet);
    this.#retiring = setInterval(() => this.#fleet.retireOld(), RETIRE_EVERY_MS);
    this.#retiring.unref();
    this.#layers = this.#open();
    // Who does not ask for them learns of it by what runs answer.
    this.#layers.catch(() => this.#fleet.refuse()).finally(() => this.#placement.serve());
  }

  layers(): Promise<SandboxLayerReport[]> {
    return this.#layers;
  }

  async run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxVerdict> {
    const askedAt = performance.now();
    const place = await this.#placement.place(run, signal);
    const bindMs = Math.round((performance.now() - askedAt) * 100) / 100;
    if ("outcome" in place)
      return { ...place, ...NOTHING_RAN, usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, bindMs } };
    hooks.onStarted();
    const process = run.alone ? "own" : place.runs > 1 ? "used" : "fresh";
    const verdict = await place.run(run, hooks, signal);
    this.#placement.ran(run.tenantId, verdict.usage);
    if (run.alone) place.kill("alone");
    this.#placement.release(place);
    const unheard = process === "used" && place.diedUnheard ? { unheard: true as const } : {};
    return { ...verdict, ...unheard, process, usage: { ...verdict.usage, bindMs } };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  stats(): SandboxPoolStats {
    return poolStats(this.#fleet, this.#placement.waiting);
  }

  async #open(): Promise<SandboxLayerReport[]> {
    const settled = await settleLaunch(this.#settings, this.#giveUp.signal);
    requireLayers(settled.reports, this.#settings.requiredLayers);
    this.#fleet.open(settled);
    return settled.reports;
  }

  async #close(): Promise<void> {
    clearInterval(this.#retiring);
    this.#giveUp.abort();
    this.#placement.close();
    await Promise.allSettled([this.#layers]);
    await this.#fleet.close();
  }
}
