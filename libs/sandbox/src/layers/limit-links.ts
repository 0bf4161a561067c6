import { availableParallelism } from "node:os";
import { NICER_BY } from "../pool/spawn-sandbox.ts";
import { findTools, TOOL_FOLDERS } from "./find-tools.ts";
import { BARE_PLAN, composeLaunch, link } from "./launch-plan.ts";
import { resourceLimits } from "./resource-limits.ts";

/**
 * The command before a program of ours that reads what strangers wrote: less of the processor than the worker, limits of
 * memory, time and files, no way to more privileges, and an end with the worker. Of what this machine lacks the tool for,
 * nothing; every user may set what is set here.
 */
export function limitLinks(memoryMib: number): string[] {
  const tools = findTools(process.platform === "linux" ? TOOL_FOLDERS : []);
  const limits = resourceLimits(memoryMib, availableParallelism(), false);
  const plan = { ...BARE_PLAN, resourceLimits: true, privileges: "no_new" } as const;
  return [
    ...link(tools.nice, ["-n", `${NICER_BY}`]),
    ...composeLaunch(plan, { tools, limits, uid: null, readable: [] }),
  ];
}
