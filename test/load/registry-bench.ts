// `npm run bench:registry`: what it costs to find one's way among many tools of one tenant, through the API of the product
// as `npm start` runs it. `-- --tools 10000 --requests 300 --json` are what it takes.
import { parseArgs } from "node:util";
import { ask, openTenant, RATES_LIFTED, startProduct } from "./product.ts";

const { values } = parseArgs({
  options: {
    tools: { type: "string", default: "10000" },
    requests: { type: "string", default: "300" },
    json: { type: "boolean", default: false },
  },
});
const within = (text: string, min: number, max: number): number => Math.min(max, Math.max(min, Number(text)));
const tools = within(values.tools, 10, 100_000);
const requests = within(values.requests, 10, 10_000);
const CREATORS = 8;
/** Changes between which the definitions are read. */
const CHANGES_MAX = 60;

const WORDS =
  "fetch parse send weather invoice order customer report table mail ticket price stock route city".split(
    " ",
  );
const wordOf = (n: number): string => WORDS[n % WORDS.length] ?? "";

const toolOf = (n: number) => ({
  name: `${wordOf(n)}_${wordOf(n * 7 + 3)}_${n}`,
  description: `Does what number ${n} does: takes a ${wordOf(n * 3 + 1)} and answers the ${wordOf(n * 5 + 2)} of it.`,
  category: wordOf(n * 11),
  code: "return args;",
  parameters: {
    type: "object",
    properties: { city: { type: "string", description: "City name" }, days: { type: "integer" } },
    required: ["city", "days"],
  },
});

interface Measured {
  what: string;
  p50: number;
  p95: number;
  max: number;
  kib: number;
}

/** One request after another: what one caller waits, not what many get through. What goes `first` is not timed. */
async function measure(
  what: string,
  times: number,
  request: (n: number) => Promise<Response>,
  first?: (n: number) => Promise<unknown>,
): Promise<Measured> {
  const tookMs: number[] = [];
  let bytes = 0;
  for (let n = 0; n < times; n += 1) {
    await first?.(n);
    const start = performance.now();
    const response = await request(n);
    const body = await response.arrayBuffer();
    tookMs.push(performance.now() - start);
    if (!response.ok) throw new Error(`${what}: ${response.status} ${Buffer.from(body).toString()}`);
    bytes = body.byteLength;
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number =>
    tookMs[Math.min(tookMs.length - 1, Math.floor(share * tookMs.length))] ?? 0;
  return { what, p50: at(0.5), p95: at(0.95), max: at(1), kib: bytes / 1_024 };
}

async function fill(url: string, key: string): Promise<void> {
  let next = 0;
  const create = async (): Promise<void> => {
    while (next < tools) await ask(`${url}/custom-tools`, { key, body: toolOf(next++), status: 201 });
  };
  await Promise.all(Array.from({ length: CREATORS }, create));
}

const product = await startProduct();
try {
  const key = await openTenant(product, RATES_LIFTED);
  process.stderr.write(`creating ${tools} tools…\n`);
  await fill(product.url, key);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const get = (path: string) => fetch(`${product.url}${path}`, { headers });
  const post = (path: string, body: object) =>
    fetch(`${product.url}${path}`, { headers, method: "POST", body: JSON.stringify(body) });
  const one = toolOf(tools).name;
  const measured = [
    await measure("create", requests, (n) => post("/custom-tools", toolOf(tools + 1 + n))),
    await measure("list, newest", requests, () => get("/custom-tools?limit=50")),
    await measure("list, by use", requests, () => get("/custom-tools?limit=50&sort=usageCount")),
    await measure("list, last page", requests, () => get(`/custom-tools?limit=50&offset=${tools - 50}`)),
    await measure("search, one word of many", requests, (n) => get(`/custom-tools?search=${wordOf(n)}`)),
    await measure("search, a beginning", requests, (n) =>
      get(`/custom-tools?search=number%20${wordOf(n).slice(0, 3)}`),
    ),
    await measure("search, every tool", requests, () => get("/custom-tools?search=answers")),
    await measure("search_tools", requests, (n) =>
      post("/meta-tools/search_tools", { query: `${wordOf(n)} of a ${wordOf(n + 4)}` }),
    ),
    await measure("stats", requests, () => get("/custom-tools/stats")),
    await measure("definitions", requests, () => get("/custom-tools/active/definitions")),
    await measure("definitions, openai", requests, () =>
      get("/custom-tools/active/definitions?format=openai"),
    ),
    await measure(
      "definitions, after a change",
      Math.min(CHANGES_MAX, requests),
      () => get("/custom-tools/active/definitions"),
      async (n) => (await post("/custom-tools", { ...toolOf(0), name: `${one}_changed_${n}` })).text(),
    ),
  ];
  if (values.json) process.stdout.write(`${JSON.stringify({ tools, requests, measured })}\n`);
  else {
    process.stdout.write(
      `${tools} tools in one tenant; milliseconds of one caller's requests, one after another\n`,
    );
    for (const { what, p50, p95, max, kib } of measured) {
      const numbers = [p50, p95, max].map((ms) => ms.toFixed(1).padStart(8)).join("");
      process.stdout.write(`${what.padEnd(30)}${numbers}${kib.toFixed(0).padStart(8)} KiB\n`);
    }
  }
} finally {
  await product.close();
}
