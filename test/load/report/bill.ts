import { Agent } from "node:http";
import { median, post } from "../load.ts";
import { BODY, startBulkhead, type System } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { inTurns, using, warmUp } from "./rounds.ts";

const CALLS_PER_SECOND = 100;
/** About what they take on a machine that is slow. */
const CALL_MS_EXPECTED = 10;

/** Where the time of one call goes, as its own answer says. */
export const bill: Part = {
  name: "bill",
  title: "Where one call's time goes",
  how: "The steps in `metadata.timings` of calls one after another; the median of each step in a round.",
  expectSeconds: (settings) => {
    const calls = settings.rounds * settings.seconds * CALLS_PER_SECOND;
    return START_SECONDS + warmUpSeconds(settings) + (calls * CALL_MS_EXPECTED) / 1_000;
  },
  measure: (settings) =>
    using(startBulkhead(), async (system) => {
      await warmUp([system], settings);
      const run = () => billOf(system, settings.seconds * CALLS_PER_SECOND);
      const [rounds = []] = await inTurns(settings, [{ name: "one call after another", run }]);
      return [...(rounds[0]?.keys() ?? [])].map((step): Figure => ({
        what: step,
        unit: "ms",
        rounds: rounds.map((round) => round.get(step) ?? Number.NaN),
      }));
    }),
};

async function billOf({ url, headers }: System, calls: number): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true });
  const steps = new Map<string, number[]>();
  for (let call = 0; call < calls; call += 1) {
    const { body } = await post(agent, { url, headers, body: BODY });
    const { timings } = JSON.parse(body).data.metadata as { timings: Record<string, number> };
    for (const [step, ms] of Object.entries(timings)) steps.set(step, [...(steps.get(step) ?? []), ms]);
  }
  agent.destroy();
  return new Map([...steps].map(([step, all]) => [step, median(all)]));
}
