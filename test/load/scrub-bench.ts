// `npm run bench:scrub`: how fast texts are scrubbed on one core, beside what else reads the same bytes in the same run.
// `-- --rounds 20 --kib 1024 --json` are what it takes.
import type { Needle } from "@bulkhead/core";
import { openScrubbers } from "@bulkhead/scrub";
import { parseArgs } from "node:util";
import { leastMs, mibPerSecond } from "./scrub/measure.ts";
import { ADVERSARIAL, jsonLogs, leakyLogs, secretsOf } from "./scrub/texts.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    kib: { type: "string", default: "1024" },
    json: { type: "boolean", default: false },
  },
});
const within = (text: string, min: number, max: number): number => Math.min(max, Math.max(min, Number(text)));
const rounds = within(values.rounds, 1, 1_000);
const size = within(values.kib, 1, 65_536) * 1_024;
const EXACT_GOAL = 50;
const PATTERNS_GOAL = 20;
const SMALL_ROUNDS = 2_000;
const PARSE = "baseline: JSON.parse";

const scrubbers = openScrubbers();
const open = (needles: readonly Needle[]) => scrubbers.open({ needles, patterns: [] });
const hundred = secretsOf(100);
const three = secretsOf(3);
const logs = jsonLogs(size);
const leaky = leakyLogs(size, hundred, 50);
const bytes = Buffer.from(logs);
const full = open(hundred);
const none = open([]);

interface Rate {
  what: string;
  mibPerSecond: number;
  goal?: number;
}

function rate(what: string, run: () => unknown, goal?: number): Rate {
  const measured = mibPerSecond(bytes.length, leastMs(run, rounds));
  return { what, mibPerSecond: measured, ...(goal && { goal }) };
}

function throughStream(): void {
  const stream = full.bytes();
  for (let at = 0; at < bytes.length; at += 65_536) stream.push(bytes.subarray(at, at + 65_536));
  stream.end();
}

const rates = [
  rate("baseline: Buffer.indexOf of one value", () => bytes.indexOf("no such value")),
  rate(PARSE, () => JSON.parse(logs)),
  rate("baseline: JSON.parse and stringify", () => JSON.stringify(JSON.parse(logs))),
  rate("bytes, values of 100 secrets", throughStream, EXACT_GOAL),
  rate("JSON, 100 secrets and all patterns", () => full.json(logs), PATTERNS_GOAL),
  rate("JSON, a leak in each 50th record", () => full.json(leaky), PATTERNS_GOAL),
  rate("text, 100 secrets and all patterns", () => full.text(logs), PATTERNS_GOAL),
  rate("JSON, no secret, all patterns", () => none.json(logs), PATTERNS_GOAL),
];

const small = jsonLogs(1_024);
const few = open(three);
const micros = (run: () => unknown): number => leastMs(run, SMALL_ROUNDS) * 1_000;
const costs = {
  "1 KiB result, 3 secrets": micros(() => few.json(small)),
  "the same with a new scrubber": micros(() => open(three).json(small)),
  "tables of 3 secrets": micros(() => openScrubbers().open({ needles: three, patterns: [] }).text("")),
};

/** How many times longer a text of four times the length takes; 4 is linear. */
const growth = ADVERSARIAL.map(([what, make]) => {
  const [short, long] = [make(size / 4, three), make(size, three)];
  const shortMs = leastMs(() => few.text(short), Math.min(rounds, 5));
  const longMs = leastMs(() => few.text(long), Math.min(rounds, 5));
  return { what, mibPerSecond: mibPerSecond(long.length, longMs), times: longMs / shortMs };
});

if (values.json) process.stdout.write(`${JSON.stringify({ rates, costs, growth })}\n`);
else {
  const parsed = rates.find(({ what }) => what === PARSE)?.mibPerSecond ?? 0;
  process.stdout.write(
    `on ${bytes.length >> 10} KiB of JSON logs; × is the time that JSON.parse of it takes\n`,
  );
  for (const { what, mibPerSecond: measured, goal } of rates) {
    const verdict = goal ? `  ${measured >= goal ? "met" : "MISSED"} (at least ${goal})` : "";
    const times = (parsed / measured).toFixed(1).padStart(5);
    process.stdout.write(
      `${what.padEnd(40)}${measured.toFixed(0).padStart(8)} MiB/s  × ${times}${verdict}\n`,
    );
  }
  for (const [what, us] of Object.entries(costs))
    process.stdout.write(`${what.padEnd(40)}${us.toFixed(1).padStart(8)} µs\n`);
  process.stdout.write("adversarial text, and its time when it is four times as long (4 is linear)\n");
  for (const { what, mibPerSecond: measured, times } of growth)
    process.stdout.write(
      `  ${what.padEnd(38)}${measured.toFixed(0).padStart(8)} MiB/s  × ${times.toFixed(1)}\n`,
    );
}
