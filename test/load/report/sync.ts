import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { closedAtEnd } from "../closed-at-end.ts";
import { ask, openTenant, RATES_LIFTED, startProduct, type RunningProduct } from "../product.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { ratio, using } from "./rounds.ts";

const CLI = join(import.meta.dirname, "..", "..", "..", "apps", "cli", "src", "main.ts");
/** By default a thousand; a run that means nothing needs fewer. */
const toolsOf = ({ seconds }: Pick<Settings, "seconds">): number => Math.min(1_000, seconds * 250);
/** What an import took before there was `bulkhead push`. */
const TOOLS_AT_ONCE = 100;
const ROUND_SECONDS = 30;

const nameOf = (at: number): string => `tool_${String(at).padStart(4, "0")}`;
const manifestOf = (at: number) => ({
  description: `Adds ${at} to a number and says in words what was added to what.`,
  parameters: {
    type: "object",
    properties: {
      value: { type: "number", description: "The number that is added to." },
      note: { type: "string" },
    },
    required: ["value"],
  },
});
const codeOf = (at: number): string =>
  `const { value, note = "" } = args;\nif (!Number.isFinite(value)) throw new Error("value must be a number");\nconst sum = value + ${at};\nreturn { sum, words: \`\${value} and ${at} are \${sum}\`, note };\n`;

/** A folder of tools and its command line, against bare requests. */
export const sync: Part = {
  name: "sync",
  title: "A folder of a thousand tools",
  how:
    "`bulkhead push --yes` of a folder of 1,000 tools (with `--seconds` below 4 of 250 a second), as a process, from its start to its end, to a tenant that has none; again with nothing changed; and with one file changed. " +
    `Baselines: the same tools by bare imports of ${TOOLS_AT_ONCE} each, and \`bulkhead whoami\`, which is a process and one request.`,
  expectSeconds: ({ rounds }) => START_SECONDS + rounds * ROUND_SECONDS,
  measure: (settings) =>
    using(startProduct(), (product) =>
      using(openFolder(toolsOf(settings)), async ({ folder }) => {
        const measured: Measured[] = [];
        for (let round = 1; round <= settings.rounds; round += 1) {
          settings.note(`round ${round} of ${settings.rounds}`);
          measured.push(await measureOnce(product, folder, toolsOf(settings), round));
        }
        const rounds = (of: keyof Measured): number[] => measured.map((each) => each[of]);
        const figure = (what: string, of: keyof Measured): Figure => ({
          what,
          unit: "ms",
          rounds: rounds(of),
        });
        return [
          figure("bare imports", "bareMs"),
          figure("push of all, new", "firstMs"),
          ratio("push over bare imports", rounds("firstMs"), rounds("bareMs")),
          figure("bulkhead whoami", "whoamiMs"),
          figure("push, nothing changed", "unchangedMs"),
          ratio("nothing changed over whoami", rounds("unchangedMs"), rounds("whoamiMs")),
          figure("push, one changed", "oneMs"),
        ];
      }),
    ),
};

interface Measured {
  bareMs: number;
  firstMs: number;
  unchangedMs: number;
  oneMs: number;
  whoamiMs: number;
}

async function measureOnce(
  product: RunningProduct,
  folder: string,
  count: number,
  round: number,
): Promise<Measured> {
  const [bare, key] = [await openTenant(product, RATES_LIFTED), await openTenant(product, RATES_LIFTED)];
  const bulkhead = (...words: string[]) => tookMs(() => run(product, key, words));
  const push = () => bulkhead("push", "--yes", "--folder", folder);
  const bareMs = await tookMs(() => importAll(product, bare, count));
  const firstMs = await push();
  const unchangedMs = await push();
  const whoamiMs = await bulkhead("whoami");
  await writeFile(join(folder, nameOf(0), "tool.js"), `${codeOf(0)}// round ${round}\n`);
  const oneMs = await push();
  return { bareMs, firstMs, unchangedMs, oneMs, whoamiMs };
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Rejects with what it said where it fails. */
async function run({ url }: RunningProduct, key: string, words: readonly string[]): Promise<void> {
  // Nothing that an earlier run has made is found.
  const cache = await mkdtemp(join(tmpdir(), "bulkhead-sync-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    BULKHEAD_URL: url,
    BULKHEAD_KEY: key,
    XDG_CONFIG_HOME: tmpdir(),
    XDG_CACHE_HOME: cache,
  };
  try {
    await promisify(execFile)(process.execPath, [CLI, ...words], { env });
  } finally {
    await rm(cache, { recursive: true });
  }
}

async function importAll({ url }: RunningProduct, key: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += TOOLS_AT_ONCE) {
    const places = Array.from({ length: Math.min(TOOLS_AT_ONCE, count - from) }, (_, at) => from + at);
    const tools = Object.fromEntries(
      places.map((at) => [nameOf(at), { "manifest.json": manifestOf(at), "tool.js": codeOf(at) }]),
    );
    await ask(`${url}/custom-tools/import?mode=all`, { key, body: { tools }, status: 200 });
  }
}

/** Ends with the bench, whatever ends that. */
async function openFolder(count: number): Promise<{ folder: string; close: () => Promise<void> }> {
  const making = mkdtemp(join(tmpdir(), "bulkhead-bench-tools-"));
  const close = closedAtEnd(async () => rm(await making, { recursive: true, force: true }));
  const folder = await making;
  for (let at = 0; at < count; at += 1) {
    const path = join(folder, nameOf(at));
    await mkdir(path);
    await writeFile(join(path, "manifest.json"), JSON.stringify(manifestOf(at)));
    await writeFile(join(path, "tool.js"), codeOf(at));
  }
  return { folder, close };
}
