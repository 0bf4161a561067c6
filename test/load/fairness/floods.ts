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

/** What one tenant floods the others with. Its rates are lifted; its concurrency is the default where nothing else is said. */
export interface Flood {
  name: string;
  title: string;
  tools: LoadTool[];
  limits?: LoadTenant["limits"];
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
];
/** What is run where nothing is asked for. */
export const FLOODS_DEFAULT = "short,long,crashing,spread";
