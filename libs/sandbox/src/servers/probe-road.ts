import { readlinkSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseStatus } from "../layers/proc-status.ts";
import { startServer, type ServerGround } from "./server-ground.ts";
import type { ServerRoad } from "./server-links.ts";

const NAMESPACES = ["pid", "net", "ipc", "uts"] as const;
const PROBE_MS_MAX = 10_000;

/** What a process behind all layers sees of them. */
interface Seen {
  pid: number;
  /** The targets of /proc/self/ns/<kind>. */
  namespaces: Record<string, string>;
  /** The text of /proc/self/status. */
  status: string;
  /** The system's answer to a look into the root folder. */
  root: string;
}

const SCRIPT = `const { readdirSync, readFileSync, readlinkSync } = require("node:fs");
const namespaces = {};
for (const kind of ${JSON.stringify(NAMESPACES)}) namespaces[kind] = readlinkSync("/proc/self/ns/" + kind);
let root = "shown";
try { readdirSync("/") } catch (error) { root = error.code }
const status = readFileSync("/proc/self/status", "utf8");
console.log(JSON.stringify({ pid: process.pid, namespaces, status, root }));`;

/** Starts a process that looks around; why servers can't go this road, or null. Never rejects. */
export async function probeRoad(
  ground: ServerGround,
  road: ServerRoad,
  signal: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS_MAX)]);
  try {
    const probe = { command: process.execPath, args: ["-e", SCRIPT], env: {} };
    const server = await startServer(ground, road, probe, limit);
    const told = await text(server.output);
    await server.ended;
    return told === "" ? server.lastWords.trim() || "it said nothing" : faultOf(JSON.parse(told) as Seen);
  } catch (error) {
    return (error as Error).message;
  }
}

function faultOf({ pid, namespaces, status, root }: Seen): string | null {
  const shared = NAMESPACES.filter((kind) => namespaces[kind] === readlinkSync(`/proc/self/ns/${kind}`));
  const { noNewPrivileges, capabilities, bounding } = parseStatus(status);
  if (pid !== 1 || shared.length > 0)
    return `it would share namespaces with the worker: ${shared.join(", ")}`;
  if (!noNewPrivileges || capabilities !== 0n || bounding !== 0n) return "it would keep privileges";
  return root === "EACCES" ? null : "Landlock would let it read files";
}
