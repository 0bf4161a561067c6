import { availableParallelism } from "node:os";
import { RUN_LIMITS_DEFAULT, RUN_LIMITS_MAX, type SandboxLayer } from "@bulkhead/core";
import { TOOL_FOLDERS } from "../layers/find-tools.ts";
import { sandboxProgram, type SandboxProgram } from "./program.ts";

/** How many processes a tenant's runs may have ended or be the first in at once, and how many more each second. */
export interface LossPace {
  burst: number;
  perSecond: number;
}

/** How a pool behaves; each bound has a default that fits one machine. */
export interface SandboxPoolOptions {
  program?: SandboxProgram;
  /** Sandbox processes at one time, blank ones included; one takes 60 MiB and what its tool may use. */
  processesMax?: number;
  /**
   * Processes kept ready for a tenant that has none: a start costs 40 ms of processor time. In a full pool, see
   * BlankStock.
   */
  blankTarget?: number;
  /** Runs after which a process is replaced: isolated-vm's native parts leak a little, half a MiB in 1,000 runs. */
  runsMax?: number;
  idleMsMax?: number;
  ageMsMax?: number;
  /** Resident memory after a run, in MiB, above which a process is replaced. */
  rssMibMax?: number;
  /** How long a run waits for a busy process of its tenant before another one is bound; most runs take 1 ms. */
  patienceMs?: number;
  /**
   * The same for a tenant whose runs compute, once it has `computingMax` processes: more would only share the
   * processors.
   */
  computingPatienceMs?: number;
  /** How many processes of one tenant may compute at a time before another one is no help; the processors by default. */
  computingMax?: number;
  /**
   * The idle share of the processors of late, from 0 to 1; 0 by default. Where they idle, a tenant's line that has stood for
   * `patienceMs` is reason enough for another process.
   */
  headroom?: () => number;
  /** How long a tenant keeps a process under load, at the least, while other tenants have none. */
  turnMs?: number;
  /** From when on a tenant that calls nothing is asleep: then its last process may go for one more of another tenant's. */
  asleepMs?: number;
  /** How fast one tenant is given processes that its runs then end; a tool that kills them meets it, hardly anyone else. */
  lossPace?: LossPace;
  /** The time that the sandbox gets beyond the wall limit to say itself how the run ended, before it is killed. */
  graceMs?: number;
  /** From the spawn to the greeting. */
  startMsMax?: number;
  /** The heap that a blank process prepares for, in MiB: that of most tools. */
  warmMemoryMib?: number;
  /**
   * The memory that the system lets a process and all that belongs to it have, in MiB. By default what a process may
   * hold when a run begins, the largest heap, and what V8 may need beside one.
   */
  memoryLineMib?: number;
  /** Layers without which the pool serves nothing; see `SandboxPool.layers`. */
  requiredLayers?: readonly SandboxLayer[];
  /** Where to look for the programs through which processes are started. */
  toolFolders?: readonly string[];
}

const BESIDE_HEAP_MIB = 128;
/** With a tenth of a second for each start, one tenant may have an eighth of the processors for its losses. */
const LOSSES_PER_PROCESSOR = 1.25;
const RSS_MIB_MAX = 256;

export type PoolSettings = Required<SandboxPoolOptions>;

/** The options with every gap filled. */
export const poolSettings = (options: SandboxPoolOptions): PoolSettings => ({
  processesMax: 12,
  blankTarget: 2,
  runsMax: 20_000,
  idleMsMax: 60_000,
  ageMsMax: 900_000,
  rssMibMax: RSS_MIB_MAX,
  patienceMs: 100,
  computingPatienceMs: 1_000,
  computingMax: availableParallelism(),
  headroom: () => 0,
  turnMs: 250,
  asleepMs: 5_000,
  lossPace: { burst: 12, perSecond: LOSSES_PER_PROCESSOR * availableParallelism() },
  graceMs: 120,
  startMsMax: 10_000,
  warmMemoryMib: RUN_LIMITS_DEFAULT.memoryMib,
  memoryLineMib: (options.rssMibMax ?? RSS_MIB_MAX) + RUN_LIMITS_MAX.memoryMib + BESIDE_HEAP_MIB,
  requiredLayers: [],
  toolFolders: TOOL_FOLDERS,
  ...options,
  program: options.program ?? sandboxProgram(),
});
