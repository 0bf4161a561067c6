import type { SandboxLayer } from "@bulkhead/core";
import type { LaunchMachine } from "./launch-ground.ts";
import type { LaunchPlan, LaunchTools } from "./launch-plan.ts";

/** One thing to ask the system for: the layers that it brings, and the roads to it, the best first. */
export interface LaunchStep {
  layers: SandboxLayer[];
  choices: Partial<LaunchPlan>[];
}

/** The steps that can be tried on this ground, and why the rest can't. */
export interface LaunchSteps {
  steps: LaunchStep[];
  missing: Partial<Record<SandboxLayer, string>>;
}

/** The package that each of them comes with. */
export const PACKAGES: Record<keyof LaunchTools, string> = {
  prlimit: "util-linux",
  setpriv: "util-linux",
  unshare: "util-linux",
  perl: "perl-base",
  nice: "coreutils",
};

interface Candidate extends LaunchStep {
  tool: keyof LaunchTools | null;
}

/** In the order in which they are looked at one by one where they can't be had all at once. */
const candidates = (privileged: boolean): Candidate[] => [
  { tool: "prlimit", layers: ["resource_limits"], choices: [{ resourceLimits: true }] },
  { tool: null, layers: ["memory_cgroup"], choices: [{ memoryGroup: true }] },
  {
    tool: "setpriv",
    layers: ["no_new_privileges", "capabilities"],
    choices: [{ privileges: "emptied" }, { privileges: "no_new" }],
  },
  { tool: "setpriv", layers: ["own_uid"], choices: [{ ownUid: true }] },
  {
    tool: "unshare",
    layers: ["network_namespace"],
    choices: privileged
      ? [{ namespaces: "direct" }, { namespaces: "through_user" }]
      : [{ namespaces: "through_user" }, { namespaces: "direct" }],
  },
  { tool: "perl", layers: ["landlock"], choices: [{ landlock: true }] },
];

export function launchSteps(ground: Pick<LaunchMachine, "tools" | "missing" | "privileged">): LaunchSteps {
  const missing = { ...ground.missing };
  const steps: LaunchStep[] = [];
  for (const { tool, layers, choices } of candidates(ground.privileged)) {
    if (layers.some((layer) => missing[layer] !== undefined)) continue;
    if (tool === null || ground.tools[tool] !== null) steps.push({ layers, choices });
    else for (const layer of layers) missing[layer] = `${tool} (${PACKAGES[tool]}) is not installed`;
  }
  return { steps, missing };
}
