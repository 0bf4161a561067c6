import type { LoadTenant, LoadTool } from "./contender.ts";

/** A short tool as most are: it waits a little for an upstream. */
export const waits = (name: string, ms: number): LoadTool => ({
  name,
  code: `await new Promise((resolve) => setTimeout(resolve, ${ms})); return 'done';`,
});

export const QUIET_TOOL = waits("quiet", 30);

/** A tool that fills its heap, which ends its sandbox process with each run. */
const fillsHeap = (name: string): LoadTool => ({
  name,
  code: "const all = []; for (;;) all.push(new Array(1000).fill(1.1));",
  limits: { memoryMib: 8, cpuMs: 2_000, wallMs: 5_000 },
});

const many = (count: number, build: (name: string) => LoadTool): LoadTool[] =>
  Array.from({ length: count }, (_, place) => build(`flood_${place}`));

/** A tool whose arguments are checked in a thread. */
const CHECKED_TOOL: LoadTool = {
  ...QUIET_TOOL,
  parameters: { type: "object", patternProperties: { "^x": { pattern: "^x" } } },
};

const LEVELS = 28;
/** A tool whose arguments would be looked at 2²⁸ times. */
const checksForEver = (name: string): LoadTool => {
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const next = { $ref: `#/$defs/p${level + 1}` };
    return [`p${level}`, { anyOf: [next, next] }];
  });
  const $defs = { ...Object.fromEntries(levels), [`p${LEVELS}`]: { required: ["never"] } };
  return { name, code: "return 1;", parameters: { type: "object", $ref: "#/$defs/p0", $defs } };
};

/** What one tenant floods the others with. Its rates are lifted; its concurrency is the default where nothing else is said. */
export interface Flood {
  name: string;
  title: string;
  tools: LoadTool[];
  limits?: LoadTenant["limits"];
  /** Called so many at a time for as long as is measured, whatever the answers; handed in before when unset. */
  calledAtOnce?: number;
  /** What the quiet tenants call meanwhile, where it is not `QUIET_TOOL`. */
  quietTool?: LoadTool;
}

export const FLOODS: Flood[] = [
  { name: "short", title: "short ones (30 ms)", tools: many(1, (name) => waits(name, 30)) },
  { name: "long", title: "long ones (2 s)", tools: many(1, (name) => waits(name, 2_000)) },
  { name: "crashing", title: "each ends its process", tools: many(20, fillsHeap) },
  { name: "spread", title: "short, over 500 tools", tools: many(500, (name) => waits(name, 30)) },
  {
    name: "uncapped",
    title: "short, concurrency lifted",
    tools: many(1, (name) => waits(name, 30)),
    limits: { maxConcurrentExecutions: 10_000 },
  },
  {
    name: "schemas",
    title: "schemas that take for ever",
    tools: many(40, checksForEver),
    calledAtOnce: 24,
    quietTool: CHECKED_TOOL,
  },
];
/** What is run where nothing is asked for. */
export const FLOODS_DEFAULT = "short,long,crashing,spread,schemas";
