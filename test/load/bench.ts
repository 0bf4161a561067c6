// `npm run bench`: Bulkhead beside what a user would write by hand, in turns within one run, so that the ratios hold
// although the machine's speed drifts. `npm run bench -- --rounds 5 --seconds 4` measures longer.
import { Agent } from "node:http";
import { parseArgs } from "node:util";
import { load, median, post, type Load } from "./load.ts";
import { BODY, isRight, startBulkhead, startByHand, type System } from "./systems.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, seconds: { type: "string", default: "4" } },
});
const rounds = Math.min(50, Math.max(1, Number(values.rounds)));
const durationMs = Math.min(60, Math.max(1, Number(values.seconds))) * 1_000;
const CONNECTIONS = [1, 64];
const WARM_UP_MS = 6_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function measure(systems: System[]): Promise<Map<string, Load[]>> {
  const measured = new Map<string, Load[]>();
  // Long-lived servers are what is compared: V8 compiles what is hot only after some thousand calls.
  for (const system of systems) await run(system, 64, WARM_UP_MS);
  for (let round = 1; round <= rounds; round += 1) {
    for (const connections of CONNECTIONS) {
      for (const system of systems) {
        const key = `${system.name}/${connections}`;
        process.stderr.write(`round ${round} of ${rounds}: ${system.name}, ${connections} connections…\n`);
        measured.set(key, [...(measured.get(key) ?? []), await run(system, connections, durationMs)]);
      }
    }
  }
  return measured;
}

const run = ({ url, headers }: System, connections: number, ms: number): Promise<Load> =>
  load({ url, headers, body: BODY, connections, durationMs: ms, isRight });

function printTable(systems: System[], measured: Map<string, Load[]>): void {
  for (const connections of CONNECTIONS) {
    say(
      `\n${connections} connection${connections === 1 ? "" : "s"} (medians of ${rounds} rounds of ${durationMs / 1_000} s)`,
    );
    say(
      "system".padEnd(38) +
        ["p50 ms", "p99 ms", "per second", "p50 ratio", "rate ratio"]
          .map((head) => head.padStart(12))
          .join(""),
    );
    const of = (name: string, figure: keyof Load): number =>
      median((measured.get(`${name}/${connections}`) ?? []).map((one) => one[figure]));
    for (const { name } of systems) {
      const cells = [of(name, "p50"), of(name, "p99"), of(name, "perSecond")].map((figure) =>
        figure.toFixed(2),
      );
      const ratios = [
        of("Bulkhead", "p50") / of(name, "p50"),
        of("Bulkhead", "perSecond") / of(name, "perSecond"),
      ];
      const shown = name === "Bulkhead" ? ["", ""] : ratios.map((ratio) => `× ${ratio.toFixed(2)}`);
      say(name.padEnd(38) + [...cells, ...shown].map((cell) => cell.padStart(12)).join(""));
    }
  }
}

/** The median of each step of the bill that every answer carries, over some calls one after another. */
async function printBill({ url, headers }: System): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const steps = new Map<string, number[]>();
  for (let call = 0; call < 200; call += 1) {
    const { body } = await post(agent, { url, headers, body: BODY });
    const { timings } = JSON.parse(body).data.metadata as { timings: Record<string, number> };
    for (const [step, ms] of Object.entries(timings)) steps.set(step, [...(steps.get(step) ?? []), ms]);
  }
  agent.destroy();
  say("\nWhere one call's time goes (Bulkhead, 1 connection, median ms by step)");
  for (const [step, all] of steps)
    say(
      `  ${step.padEnd(10)} ${median(all).toFixed(2).padStart(7)}  ${"█".repeat(Math.round(median(all) * 10))}`,
    );
}

const systems: System[] = [];
try {
  systems.push(await startBulkhead());
  systems.push(await startByHand("by hand, fresh isolated-vm context", "isolated-vm"));
  systems.push(await startByHand("by hand, no sandbox", "none"));
  const measured = await measure(systems);
  printTable(systems, measured);
  const [bulkhead] = systems;
  if (bulkhead) await printBill(bulkhead);
  const wrong = [...measured.values()].flat().reduce((sum, one) => sum + one.wrong, 0);
  if (wrong > 0) {
    say(`\n${wrong} answers were wrong: this is no measurement.`);
    process.exitCode = 1;
  }
} finally {
  for (const system of systems.toReversed()) await system.close();
}
