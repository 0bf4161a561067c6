// `npm run bench`: the report of the product's speed. `-- --parts latency,cpu` measures these alone; `--rounds 5
// --seconds 4 --streams 5000` say how much; `--out` in which folder it is kept; `--write` puts RESULTS.md and results.svg
// beside this file too, to be committed.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { closeAll, toldToEnd } from "./closed-at-end.ts";
import { describeMachine } from "./report/machine.ts";
import { STREAMS_MAX, type Settings } from "./report/part.ts";
import { chooseParts, PARTS } from "./report/parts.ts";
import { renderMarkdown } from "./report/render-markdown.ts";
import { renderSvg } from "./report/render-svg.ts";
import { boundSeconds, runPart, type PartReport, type Report } from "./report/report.ts";

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: PARTS.map(({ name }) => name).join(",") },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    streams: { type: "string", default: String(STREAMS_MAX) },
    out: { type: "string", default: join(import.meta.dirname, "results") },
    write: { type: "boolean", default: false },
  },
});
const HERE = import.meta.dirname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A whole number; what is none is refused by its name. */
function within(name: "rounds" | "seconds" | "streams", min: number, max: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`--${name} must be a whole number from ${min} to ${max}`);
}

async function main(settings: Settings): Promise<void> {
  const parts = chooseParts(values.parts);
  const expected = parts.reduce((sum, part) => sum + part.expectSeconds(settings), 0);
  const bound = parts.reduce((sum, part) => sum + boundSeconds(part, settings), 0);
  const size = `${parts.length} parts, ${settings.rounds} rounds of ${settings.seconds} s`;
  say(`${size}: about ${minutes(expected)}, at most ${minutes(bound)}`);
  const at = new Date().toISOString();
  const machine = await describeMachine();
  const done: PartReport[] = [];
  let left = expected;
  for (const part of parts) {
    settings.note(`part ${done.length + 1} of ${parts.length}, ${part.name}: about ${minutes(left)} to go`);
    const { report, abandoned } = await runPart(part, settings);
    // Its product was closed under it: there is nothing to report.
    if (toldToEnd.aborted) return;
    done.push(report);
    if (abandoned) break;
    left -= part.expectSeconds(settings);
  }
  const { rounds, seconds, streams } = settings;
  await write({ at, machine, settings: { rounds, seconds, streams }, parts: done });
  const failed = done.filter(({ failure }) => failure !== null);
  for (const { name, failure } of failed) say(`The part ${name} failed: ${failure}`);
  if (failed.length === 0) return;
  // What an abandoned part has started ends with this process.
  await closeAll();
  process.exit(1);
}

const minutes = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;

/** Prints it, and keeps it in the folder for that, and where asked to in the files that are committed. */
async function write(report: Report): Promise<void> {
  const name = report.at.replaceAll(/[:.]/gu, "-");
  const folder = values.out;
  await mkdir(folder, { recursive: true });
  const files: [path: string, text: string][] = [
    [join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`],
    [join(folder, `${name}.md`), renderMarkdown(report, `${name}.svg`)],
    [join(folder, `${name}.svg`), renderSvg(report)],
  ];
  if (values.write) {
    files.push([join(HERE, "RESULTS.md"), renderMarkdown(report, "results.svg")]);
    files.push([join(HERE, "results.svg"), renderSvg(report)]);
  }
  for (const [path, text] of files) await writeFile(path, text);
  say(`\n${renderMarkdown(report, `${name}.svg`)}`);
  for (const [path] of files) say(`written: ${relative(process.cwd(), path)}`);
}

try {
  await main({
    rounds: within("rounds", 1, 50),
    seconds: within("seconds", 1, 60),
    streams: within("streams", 1, STREAMS_MAX),
    note: (line) => void process.stderr.write(`${line}…\n`),
  });
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
