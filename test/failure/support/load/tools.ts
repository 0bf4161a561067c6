/** A tool of the load as it is created; each takes `{ marker, url, ms, lingerMs }` and answers `done-<marker>` where it succeeds. */
export interface LoadTool {
  name: string;
  code: string;
  idempotent?: boolean;
  retry?: { attempts: number; backoffMs: number };
  /** The status it ends with wherever it runs to its end; left out where a fault may break what it does. */
  mustEnd?: string;
}

const NAP = "await new Promise((r) => setTimeout(r, args.ms));";
// In two parts, so that the text of a result stands nowhere but in results.
const DONE = "return ['done', args.marker].join('-');";
const touch = (step: string): string =>
  `await fetch(args.url + '?execution=' + context.executionId + '&step=' + ${step});`;

export const LOAD_TOOLS = {
  echo: { name: "echo", code: DONE, mustEnd: "succeeded" },
  nap: { name: "nap", code: NAP + DONE, mustEnd: "succeeded" },
  /** Emits and logs while it runs; says so when its result is there, and lingers then where it is told to. */
  ticker: {
    name: "ticker",
    code: `for (let tick = 1; tick <= 8; tick++) { emit({ tick }); console.log('tick', tick); ${NAP} }
emit({ computed: true }); await new Promise((r) => setTimeout(r, args.lingerMs ?? args.ms)); ${DONE}`,
    mustEnd: "succeeded",
  },
  touch_once: { name: "touch_once", code: `${touch("1")} ${NAP} ${touch("2")} ${DONE}` },
  touch_again: {
    name: "touch_again",
    code: `${touch("1")} ${NAP} ${touch("2")} ${DONE}`,
    idempotent: true,
    retry: { attempts: 3, backoffMs: 50 },
  },
  /** Goes on touching for half a minute: what a cancel has to stop. */
  beacon: {
    name: "beacon",
    code: `for (let step = 1; step <= 90; step++) { ${touch("step")} await new Promise((r) => setTimeout(r, 300)); } ${DONE}`,
  },
  thrower: {
    name: "thrower",
    code: `${NAP} throw new Error('as it does');`,
    retry: { attempts: 2, backoffMs: 50 },
    mustEnd: "failed",
  },
  /** Its sandbox process has to be killed. */
  spinner: { name: "spinner", code: "for (;;) {}", mustEnd: "timed_out" },
} satisfies Record<string, LoadTool>;

export const mustEnd = (name: string): string | null =>
  Object.values<LoadTool>(LOAD_TOOLS).find((tool) => tool.name === name)?.mustEnd ?? null;

export type LoadToolName = keyof typeof LOAD_TOOLS;

/** The body that creates it. */
export const toolBody = ({ mustEnd: _mustEnd, ...tool }: LoadTool) => ({
  ...tool,
  description: "Part of the load of a fault test.",
  parameters: {
    type: "object",
    properties: {
      marker: { type: "string" },
      url: { type: "string" },
      ms: { type: "number" },
      lingerMs: { type: "number" },
    },
  },
  permissions: ["network"],
  limits: { networkRequests: 100, wallMs: 60_000, cpuMs: tool.name === "spinner" ? 200 : 5_000 },
});
