import type { FloodRequest, LoadTenant, LoadTool } from "./contender.ts";

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

/** A tool of 20 KB of code. */
const wordy = (name: string): LoadTool => ({
  name,
  code: `${Array.from({ length: 200 }, (_, n) => `const value_${n} = "${name} ${n} ${"ab".repeat(35)}";`).join("\n")}\nreturn 1;`,
});

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

/** Of what is called for as long as is measured. */
const AT_ONCE = 8;
const MIB = 2 ** 20;
/** The most that a run may say and give back. */
const CEILINGS = { resultBytes: 4 * MIB, logBytes: MIB, memoryMib: 256, cpuMs: 60_000 };

/** Reads a result of almost 4 MiB, as upstreams give them: many small objects. */
const RESULT =
  "const rows = Array.from({ length: 22_000 }, (_, id) => ({ id, name: `row ${id}`, note: 'x'.repeat(100), at: '2026-01-01T00:00:00Z', ok: id % 2 === 0 }));";
const LONG_LINES =
  "const line = 'all is well. '.repeat(154); for (let n = 0; n < 512; n += 1) console.log(line);";
const SHORT_LINES = "for (let n = 0; n < 500_000; n += 1) console.log('x');";
const says = (code: string): LoadTool[] => many(1, (name) => ({ name, code, limits: CEILINGS }));

/** What one tenant floods the others with. Its rates are lifted; its concurrency is the default where nothing else is said. */
export interface Flood {
  name: string;
  title: string;
  tools: LoadTool[];
  limits?: LoadTenant["limits"];
  /** Called so many at a time for as long as is measured, whatever the answers; handed in before when unset. */
  calledAtOnce?: number;
  /** What is called; a tool where nothing is said. What is not a call is something that plain BullMQ does not have. */
  request?: FloodRequest;
  /** What the quiet tenants call meanwhile, where it is not `QUIET_TOOL`. */
  quietTool?: LoadTool;
}

/** Says a line every 10 ms. */
const SPEAKS =
  "for (let n = 0; n < 3_000; n += 1) { console.log('all is well, all is well'); await new Promise((resolve) => setTimeout(resolve, 10)); }";

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
  {
    name: "computing",
    title: "computing for half a second",
    tools: says("const end = Date.now() + 500; while (Date.now() < end);"),
    calledAtOnce: AT_ONCE,
  },
  {
    name: "results",
    title: "results of 4 MiB",
    tools: says(`${RESULT} return rows;`),
    calledAtOnce: AT_ONCE,
  },
  { name: "lines", title: "1 MiB of long log lines", tools: says(LONG_LINES), calledAtOnce: AT_ONCE },
  {
    name: "short-lines",
    title: "10,000 log lines of 1 byte",
    tools: says(SHORT_LINES),
    calledAtOnce: AT_ONCE,
  },
  {
    name: "values",
    title: "emitted values of 1 MiB",
    tools: says(`${RESULT} emit(rows.slice(0, 5_500));`),
    calledAtOnce: AT_ONCE,
  },
  {
    name: "lines-and-results",
    title: "long log lines and results",
    tools: says(`${LONG_LINES} ${RESULT} return rows;`),
    calledAtOnce: AT_ONCE,
  },
  {
    name: "followers",
    title: "100 followers of one run",
    tools: many(1, (name) => ({ name, code: SPEAKS, limits: { wallMs: 60_000 } })),
    calledAtOnce: 100,
    request: "follow",
  },
  {
    name: "requests",
    title: "requests for lists, 64 at a time",
    tools: many(1, (name) => waits(name, 30)),
    limits: { requestsPerSecond: 200 },
    calledAtOnce: 64,
    request: "list",
  },
  {
    name: "searches",
    title: "searches over 500 tools, 64 at a time",
    tools: many(500, wordy),
    limits: { requestsPerSecond: 200 },
    calledAtOnce: 64,
    request: "search",
  },
  {
    name: "exports",
    title: "exports of 100 tools of 20 KB, 64 at a time",
    tools: many(500, wordy),
    limits: { requestsPerSecond: 200 },
    calledAtOnce: 64,
    request: "export",
  },
];
/** What is run where nothing is asked for. */
export const FLOODS_DEFAULT =
  "short,long,crashing,spread,schemas,computing,results,lines,short-lines,values,lines-and-results,followers,requests,searches,exports";
