import { batches } from "./batches.ts";
import { bill } from "./bill.ts";
import { coldTools } from "./cold-tools.ts";
import { cpu } from "./cpu.ts";
import { dev } from "./dev.ts";
import { fairness } from "./fairness.ts";
import { latency } from "./latency.ts";
import { lists } from "./lists.ts";
import { mcp } from "./mcp.ts";
import { memory } from "./memory.ts";
import { newTenants } from "./new-tenants.ts";
import { data } from "./data.ts";
import { files } from "./files.ts";
import type { Part } from "./part.ts";
import { searchedMemory } from "./searched-memory.ts";
import { streams } from "./streams.ts";
import { sync } from "./sync.ts";
import { telemetry } from "./telemetry.ts";
import { throughput } from "./throughput.ts";
import { webConsole } from "./console.ts";
import { workers } from "./workers.ts";

/** In the order of the report. */
export const PARTS: readonly Part[] = [
  throughput,
  latency,
  bill,
  cpu,
  memory,
  coldTools,
  newTenants,
  batches,
  streams,
  mcp,
  dev,
  webConsole,
  fairness,
  workers,
  telemetry,
  lists,
  sync,
  data,
  files,
  searchedMemory,
];

/** Those that a list like `latency,cpu` names, in the order of the report. Throws where one is not there. */
export function chooseParts(list: string): Part[] {
  const asked = list.split(",");
  const unknown = asked.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = PARTS.map(({ name }) => name).join(", ");
    throw new RangeError(`--parts: there is no ${unknown.join(", ")}; choose from ${known}`);
  }
  return PARTS.filter(({ name }) => asked.includes(name));
}
