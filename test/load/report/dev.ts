import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { closedAtEnd, toldToEnd } from "../closed-at-end.ts";
import { median, percentile } from "../load.ts";
import { ask, openTenant, RATES_LIFTED, startProduct } from "../product.ts";
import { start, stop } from "../start.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, ratio, using } from "./rounds.ts";

const SAVES_PER_SECOND = 2;
const SAVE_MS_EXPECTED = 400;
const WARM_UP_SAVES = 5;
/** A save that nobody tells of by then fails the part. */
const TOLD_MS_MAX = 20_000;

/** What is saved: the file of each tool, and its text with a number that comes back as the result. */
const TOOLS = {
  plain: { file: "plain/tool.js", text: (n: number) => `return { n: ${n} };\n` },
  module: {
    file: "module/tools.ts",
    text: (n: number) =>
      `import { add } from "./add.ts";\nexport const module = { description: "Adds.", inputSchema: { type: "object" }, execute: async () => ({ n: add(${n}) }) };\n`,
  },
} as const;
type ToolName = keyof typeof TOOLS;

const OTHERS: Readonly<Record<string, string>> = {
  "plain/manifest.json": `{ "description": "Answers." }`,
  "plain/examples/any.json": "{}",
  "module/add.ts": "export const add = (n: number): number => n + 0;\n",
  "module/examples/any.json": "{}",
};

/** What `bulkhead dev` tells of each; noticing is in none of them. */
const PARTS_TOLD = ["loadMs", "uploadMs", "runMs"] as const;
type Parts = Record<(typeof PARTS_TOLD)[number], number>;

/** How long a developer waits after each save. */
export const dev: Part = {
  name: "dev",
  title: "From save to result",
  how:
    "`bulkhead dev` watches a folder of two tools: from when a file is written until the result of its example is printed, with " +
    "noticing, loading, upload and run; in turns with a bare `POST /custom-tools/test` of the same code.",
  expectSeconds: ({ rounds, seconds }) =>
    START_SECONDS + (rounds * seconds * SAVES_PER_SECOND * 3 * SAVE_MS_EXPECTED) / 1_000,
  measure: (settings) =>
    using(startProduct(), async (product) => {
      const key = await openTenant(product, RATES_LIFTED);
      return using(openDev(product.url, key), async (session) => {
        let made = 0;
        const parts: Parts[] = [];
        const times = async (count: number, once: (n: number) => Promise<number>): Promise<number[]> => {
          const all: number[] = [];
          for (let n = 0; n < count; n += 1) all.push(await once((made += 1)));
          return all.toSorted((a, b) => a - b);
        };
        const bare = (n: number) => tryOnce(product.url, key, n);
        const contenders = [
          { name: "bare try by REST", once: bare },
          { name: "a tool with a manifest", once: (n: number) => session.save("plain", n, parts) },
          {
            name: "a tool of a module, which is bundled",
            once: (n: number) => session.save("module", n, []),
          },
        ];
        for (const { once } of contenders) await times(WARM_UP_SAVES, once);
        parts.length = 0;
        const count = settings.seconds * SAVES_PER_SECOND;
        const measured = await inTurns(
          settings,
          contenders.map(({ name, once }) => ({ name, run: () => times(count, once) })),
        );
        const shares = measured.flatMap((rounds, place) =>
          [0.5, 0.95].map((share): Figure => ({
            what: `${contenders[place]?.name}, p${share * 100}`,
            unit: "ms",
            rounds: rounds.map((one) => percentile(one, share)),
          })),
        );
        const [alone = [], manifest = []] = measured.map((rounds) =>
          rounds.map((one) => percentile(one, 0.5)),
        );
        const told = PARTS_TOLD.map((part): Figure => ({
          what: `of a tool with a manifest, ${part.slice(0, -2)}, p50`,
          unit: "ms",
          rounds: [median(parts.map((one) => one[part]))],
        }));
        return [...shares, ...told, ratio("save to result over a bare try, p50", manifest, alone)];
      });
    }),
};

/** Milliseconds of one try by REST. */
async function tryOnce(url: string, key: string, n: number): Promise<number> {
  const startedAt = performance.now();
  const body = { name: "plain", code: TOOLS.plain.text(n), recorded: {} };
  const { result } = await ask<{ result: { n: number } }>(`${url}/custom-tools/test`, {
    key,
    body,
    status: 200,
  });
  if (result.n !== n) throw new Error(`The try gave ${JSON.stringify(result)}.`);
  return performance.now() - startedAt;
}

interface Dev {
  /** Milliseconds from a save to its result; what it tells of them is added to `parts`. */
  save(tool: ToolName, n: number, parts: Parts[]): Promise<number>;
  close(): Promise<void>;
}

interface Told extends Parts {
  kind: string;
  tool?: string;
  examples?: { result?: { n?: number } }[];
}

async function openDev(url: string, key: string): Promise<Dev> {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-dev-bench-"));
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  for (const [file, text] of Object.entries(OTHERS)) await write(file, text);
  for (const { file, text } of Object.values(TOOLS)) await write(file, text(0));
  const env = { BULKHEAD_URL: url, BULKHEAD_KEY: key };
  const args = ["dev", folder, "--json"];
  const started = await start("apps/cli/src/main.ts", env, /"kind":"watching"/u, toldToEnd, args);
  const waiting = new Map<string, (told: Told) => void>();
  const lines = createInterface({ input: started.child.stdout ?? process.stdin });
  lines.on("line", (line) => {
    // The first one may be the end of a line whose beginning came before anybody read.
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as Told;
    const { kind, tool, examples = [] } = said;
    if (kind === "tried") waiting.get(`${tool} ${examples[0]?.result?.n}`)?.(said);
  });
  return {
    async save(tool, n, parts) {
      const { file, text } = TOOLS[tool];
      const told = new Promise<Told>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`Nothing was told of a save of ${file}.`)),
          TOLD_MS_MAX,
        );
        waiting.set(`${tool} ${n}`, (one) => {
          clearTimeout(timer);
          resolve(one);
        });
      });
      const startedAt = performance.now();
      await write(file, text(n));
      parts.push(await told);
      waiting.delete(`${tool} ${n}`);
      return performance.now() - startedAt;
    },
    close: closedAtEnd(async () => {
      await stop(started);
      await rm(folder, { recursive: true, force: true });
    }),
  };
}
