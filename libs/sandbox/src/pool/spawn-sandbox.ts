import { spawn, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { connectionTo } from "./child-connection.ts";
import { landlockReadable } from "../layers/landlock.ts";
import type { LaunchGround } from "../layers/launch-ground.ts";
import { composeLaunch, type LaunchPlan } from "../layers/launch-plan.ts";
import { removeGroup, type MemoryGroup } from "../layers/memory-group.ts";
import { resourceLimits, type ResourceLimits } from "../layers/resource-limits.ts";
import { nodeFlags } from "./node-flags.ts";

/** The kernel's highest: when the machine is out of memory, a sandbox goes before the worker does. */
export const OOM_SCORE = 1_000;
/**
 * How much nicer than the worker a sandbox is: for a processor that both want, tools get a third of what the worker
 * gets.
 */
export const NICER_BY = 5;

/** The bounds that were asked of the system for one process. */
export interface Enclosure {
  uid: number | null;
  limits: ResourceLimits | null;
  /** Null until `enclosed`, too. */
  group: MemoryGroup | null;
  /** The commands of its launch before node's own. */
  links: string[];
  /** Why it could not be had as planned. */
  fault: string | null;
}

/** A started program and the one connection to it. */
export interface SpawnedSandbox {
  child: ChildProcess;
  connection: Duplex;
  /** Whether node starts from its own snapshot. */
  nodeSnapshot: boolean;
  enclosure: Enclosure;
  /** Resolves when everything planned stands around it, else to false: then it may not be told anything. */
  enclosed: Promise<boolean>;
  /** Whether the kernel ended it for its memory limit; known once it has exited. */
  hasCrossedMemory(): boolean;
  /** Resolves when it has exited and what it had of the pool's users and groups is free again. */
  released: Promise<void>;
}

/** Starts the program with nothing of this process's: no environment, no files, no network, no terminal. */
export function spawnSandbox(ground: LaunchGround, plan: LaunchPlan): SpawnedSandbox {
  const enclosure = enclose(ground, plan);
  const node = [
    process.execPath,
    ...nodeFlags(ground.program.readable, ground.nodeSnapshot),
    ground.program.entry,
  ];
  const [file = process.execPath, ...args] = [...lowerPriority(ground), ...enclosure.links, ...node];
  const child = spawn(file, args, {
    env: {},
    cwd: "/",
    detached: false,
    // No "ipc": its frames have no bound.
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let crossed = false;
  const enclosed = holdTo(enclosure, child.pid, plan.memoryGroup ? ground.groups : null);
  const gone = Promise.withResolvers<void>();
  if (child.pid === undefined) gone.resolve();
  child.once("exit", () => {
    crossed = enclosure.group?.wasCrossed() ?? false;
    gone.resolve();
  });
  const released = gone.promise.then(async () => {
    await enclosed;
    await removeGroup(enclosure.group);
    if (enclosure.uid !== null) ground.uids?.free(enclosure.uid);
  });
  return {
    child,
    connection: connectionTo(child),
    nodeSnapshot: ground.nodeSnapshot,
    enclosure,
    enclosed,
    released,
    hasCrossedMemory: () => crossed,
  };
}

/** The first link: from outside only one thread's priority is set, and not every worker may set another user's. */
const lowerPriority = ({ tools: { nice } }: LaunchGround): string[] =>
  nice === null ? [] : [nice, "-n", `${NICER_BY}`];

/** The links of a start, and the user that it takes of the pool's. */
function enclose({ tools, uids, program, ...ground }: LaunchGround, plan: LaunchPlan): Enclosure {
  const uid = plan.ownUid ? (uids?.take() ?? null) : null;
  const limits = resourceLimits(ground.memoryMib, ground.processors, uid !== null);
  const readable = landlockReadable(process.execPath, program.readable);
  return {
    uid,
    limits: plan.resourceLimits ? limits : null,
    group: null,
    links: composeLaunch(plan, { tools, limits, uid, readable }),
    fault: plan.ownUid && uid === null ? "every user of this worker is taken" : null,
  };
}

/** Goes on beside the first milliseconds of the process, in which it owns next to no memory. Never rejects. */
async function holdTo(
  enclosure: Enclosure,
  pid: number | undefined,
  groups: LaunchGround["groups"],
): Promise<boolean> {
  if (pid === undefined || enclosure.fault !== null) return false;
  // The probe at the pool's start tells where this is not allowed; it is not worth a start.
  await writeFile(`/proc/${pid}/oom_score_adj`, `${OOM_SCORE}`).catch(() => undefined);
  try {
    enclosure.group = (await groups?.make()) ?? null;
    await enclosure.group?.add(pid);
    return true;
  } catch (error) {
    enclosure.fault = `it got no memory cgroup: ${(error as Error).message}`;
    return false;
  }
}
