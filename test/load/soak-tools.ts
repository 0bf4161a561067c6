import { request as httpRequest } from "node:http";
import type { Effect, EffectAnswer, RunLimits, SandboxVerdict } from "@bulkhead/core";

/** One kind of tool in the mix, and how each of its runs must end. */
export interface SoakTool {
  name: string;
  /** How many of a hundred runs. */
  share: number;
  code: string;
  ends: SandboxVerdict["outcome"][];
  limits?: Partial<RunLimits>;
  network?: boolean;
  /** The result as JSON. */
  json?: string;
}

// The wall clock runs also while a machine that does much else lets them wait: the other limits are met long before.
const QUICK = { cpuMs: 100, wallMs: 20_000 };

/** What tools do all day, with runaways, refusals and deaths among them. */
export const SOAK_TOOLS: readonly SoakTool[] = [
  { name: "small", share: 47, code: "return args.n * 2", ends: ["returned"], json: "14" },
  {
    name: "logs",
    share: 12,
    code: "for (let i = 0; i < 20; i++) console.log('line', i, { a: [i] }); emit({ done: true }); return 1",
    ends: ["returned"],
    json: "1",
  },
  {
    name: "fetch",
    share: 12,
    code: "const r = await fetch('http://loopback/'); return [r.status, await r.text()]",
    ends: ["returned"],
    network: true,
    json: '[200,"hello"]',
  },
  {
    name: "timers",
    share: 8,
    code: "let n = 0; const id = setInterval(() => n++, 4); await new Promise((r) => setTimeout(r, 15)); return n > 0",
    ends: ["returned"],
    json: "true",
  },
  {
    name: "computing",
    share: 5,
    code: "let x = 0; for (let i = 0; i < 1e6; i++) x += i % 7; return x > 0",
    ends: ["returned"],
    json: "true",
  },
  {
    name: "large result",
    share: 4,
    code: "return Array.from({ length: 5000 }, (_, i) => ({ i, text: 'x'.repeat(50) }))",
    ends: ["returned"],
  },
  { name: "throws", share: 4, code: "throw new TypeError('as it does')", ends: ["threw"] },
  { name: "does not compile", share: 2, code: "return (1 +", ends: ["threw"] },
  { name: "too large a result", share: 2, code: "return 'x'.repeat(5e6)", ends: ["result_too_large"] },
  {
    name: "leaves work behind",
    share: 1,
    code: "setInterval(() => console.log('ghost'), 1); return 1",
    ends: ["returned"],
  },
  { name: "spins", share: 1, code: "for(;;){}", ends: ["cpu"], limits: QUICK },
  {
    name: "grows",
    share: 1,
    code: "const a = []; for(;;) a.push(new Array(1000).fill(1.1))",
    ends: ["memory", "cpu"],
    limits: { ...QUICK, memoryMib: 24, cpuMs: 1_000 },
  },
  {
    name: "never settles",
    share: 1,
    code: "await new Promise(() => {})",
    ends: ["wall"],
    limits: { wallMs: 60 },
  },
];

/** Answers a tool's `fetch` from a server on this machine; anything else is refused. */
export const loopback =
  (port: number) =>
  async (effect: Effect): Promise<EffectAnswer> => {
    if (effect.kind !== "fetch") return { ok: false, code: "invalid_request", message: "not here" };
    const { status, body } = await get(port);
    const head = {
      status,
      statusText: "OK",
      headers: [],
      url: effect.request.url,
      redirected: false,
      done: true,
    };
    return { ok: true, head: JSON.stringify(head), body, bodyEncoding: "utf8" };
  };

const get = (port: number): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
