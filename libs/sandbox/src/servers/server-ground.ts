import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { BROWSER_PORT, type LaunchSize, type McpCommand } from "@bulkhead/core";
import { closedToOthers } from "../layers/closed-folder.ts";
import { findTools } from "../layers/find-tools.ts";
import { ownGroups, ownUids } from "../layers/launch-ground.ts";
import { PACKAGES } from "../layers/launch-steps.ts";
import type { MemoryGroups } from "../layers/memory-groups.ts";
import { ProcessUids } from "../layers/process-uids.ts";
import { resourceLimits } from "../layers/resource-limits.ts";
import { NICER_BY } from "../pool/spawn-sandbox.ts";
import { composeServer, homeOn, type ServerRoad, type ServerTools } from "./server-links.ts";
import { ServerProcess, ServerStartError } from "./server-process.ts";
import { UnseenServerError, viewOf } from "./server-view.ts";

const MIB = 2 ** 20;

interface Bounds {
  /** Memory with all that it has started and all that it has written; where there are memory groups. */
  memoryMib: number;
  /** Private writable memory of each of its processes, touched or not: V8 reserves half a GiB for each isolate. */
  dataBytes: number;
  openFiles: number;
  /** Processes and threads; null: as many as a sandbox. */
  processes: number | null;
  /** What its home holds. */
  homeBytes: number;
  homeFiles: number;
  loopbackPort: number | null;
  /** Whether it can do without a home. */
  mayLackHome: boolean;
}

const BOUNDS: Record<LaunchSize, Bounds> = {
  server: {
    memoryMib: 512,
    dataBytes: 4 * 1_024 * MIB,
    openFiles: 256,
    processes: null,
    homeBytes: 64 * MIB,
    homeFiles: 4_096,
    loopbackPort: null,
    mayLackHome: true,
  },
  // A process for each site of each page, with some twenty threads each; what they share lies in the home.
  browser: {
    memoryMib: 1_024,
    dataBytes: 8 * 1_024 * MIB,
    openFiles: 4_096,
    processes: 768,
    homeBytes: 256 * MIB,
    homeFiles: 4_096,
    loopbackPort: BROWSER_PORT,
    mayLackHome: false,
  },
};

/** What servers are started with on this machine. */
export interface ServerGround {
  tools: ServerTools;
  /** Null where the worker is not root: then servers have its user, seen from a namespace without the worker. */
  uids: ProcessUids | null;
  /** For each size; null where no memory group can be made. */
  groups: Record<LaunchSize, MemoryGroups | null>;
}

/** Looks at the machine; throws a ServerStartError where nothing need be tried. */
export async function lookForServers(toolFolders: readonly string[]): Promise<ServerGround> {
  if (process.platform !== "linux")
    throw new ServerStartError(`this is ${process.platform}, and it takes Linux`);
  const tools = findTools(toolFolders);
  for (const tool of ["prlimit", "setpriv", "unshare", "perl"] as const) {
    if (tools[tool] === null) throw new ServerStartError(`${tool} (${PACKAGES[tool]}) is not installed`);
  }
  return {
    tools: tools as ServerTools,
    uids: process.geteuid?.() === 0 ? usersOfRoot() : null,
    groups: { server: await groupsOf("server"), browser: await groupsOf("browser") },
  };
}

async function groupsOf(size: LaunchSize): Promise<MemoryGroups | null> {
  const groups = await ownGroups(BOUNDS[size].memoryMib);
  return "reason" in groups ? null : groups;
}

function usersOfRoot(): ProcessUids {
  const uids = ownUids();
  if (uids === null)
    throw new ServerStartError("the worker is root in a user namespace with no users to give");
  return new ProcessUids(uids.servers);
}

/**
 * Starts a server; its user is free again when it has ended. Rejects with an UnseenServerError where the command can't be
 * shown to it, else with a ServerStartError.
 */
export async function startServer(
  { tools, uids, groups }: ServerGround,
  road: ServerRoad,
  { command, args, env, size = "server" }: Omit<McpCommand, "tenantId">,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const { dataBytes, openFiles, processes, homeBytes, homeFiles, loopbackPort, mayLackHome } = BOUNDS[size];
  if (!road.ownRoot && !mayLackHome)
    throw new ServerStartError("it takes a root of its own, which nothing may be mounted for here");
  const limits = resourceLimits(0, availableParallelism(), true);
  const view = viewOf(command, args);
  // In a root of its own what it sees has been put there by root; elsewhere its user has to go all the way.
  const tops = road.ownRoot && road.namespaces === "direct" ? view : [];
  const closed = uids === null ? null : closedToOthers([command, ...view], tops);
  if (closed !== null)
    throw new UnseenServerError(`The server runs as a user of its own, which has to read it: ${closed}.`);
  const uid = uids?.take() ?? null;
  const links = composeServer(road, {
    tools,
    limits: {
      ...limits,
      fileSize: homeBytes,
      openFiles,
      data: dataBytes,
      processes: processes ?? limits.processes,
    },
    uid,
    view,
    homeBytes,
    homeFiles,
    nicer: NICER_BY,
    loopbackPort,
  });
  const variables = { ...environmentOn(road), ...env };
  const free = (): void => void (uid !== null && uids?.free(uid));
  try {
    const server = await ServerProcess.start([...links, command, ...args], variables, groups[size], signal);
    void server.ended.then(free);
    return server;
  } catch (error) {
    free();
    throw error;
  }
}

function environmentOn(road: ServerRoad): Record<string, string> {
  const home = homeOn(road);
  const folders = new Set([dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"]);
  return { PATH: [...folders].join(":"), HOME: home, TMPDIR: home, LANG: "C.UTF-8" };
}
