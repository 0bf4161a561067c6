import { Agent } from "node:http";
import { median, percentile, post } from "../load.ts";
import { createTool, openTenant, RATES_LIFTED, startProduct, type RunningProduct } from "../product.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, ratio, using } from "./rounds.ts";

const TOOLS_PER_SECOND = 20;
/** To create and to call one, three times. */
const TOOL_MS_EXPECTED = 100;

/** A tool's first call, and those after it. */
export const coldTools: Part = {
  name: "cold-tools",
  title: "Cold and warm tools",
  how:
    "Calls one after another by a tenant whose process is there: of tools that have never run (their isolate is made and their " +
    "code compiled), then of the same tools again.",
  expectSeconds: ({ rounds, seconds }) =>
    START_SECONDS + (rounds * seconds * TOOLS_PER_SECOND * TOOL_MS_EXPECTED) / 1_000,
  measure: (settings) =>
    using(startProduct(), async (product) => {
      const key = await openTenant(product, RATES_LIFTED);
      let made = 0;
      const run = async () => {
        const names = Array.from(
          { length: settings.seconds * TOOLS_PER_SECOND },
          () => `tool_n${(made += 1)}`,
        );
        for (const name of names) await createTool(product.url, key, { name, code: "return args.n + 1;" });
        const call = (name: string) => timeOf(product, key, name);
        const cold = await inOrder(names, call);
        return { cold, warm: await inOrder(names, call) };
      };
      // The tenant's process, and what is hot of API and worker.
      await run();
      const [rounds = []] = await inTurns(settings, [{ name: "new tools, and again", run }]);
      const figure = (what: "cold" | "warm", share: number): Figure => ({
        what: `${what}, p${share * 100}`,
        unit: "ms",
        rounds: rounds.map((one) => percentile(one[what], share)),
      });
      const shares = (what: "cold" | "warm") => [figure(what, 0.5), figure(what, 0.95)];
      const [cold, warm] = [rounds.map((one) => median(one.cold)), rounds.map((one) => median(one.warm))];
      return [...shares("cold"), ...shares("warm"), ratio("cold over warm, p50", cold, warm)];
    }),
};

const agent = new Agent({ keepAlive: true });

/** Milliseconds of one call; throws where it is not a success. */
export async function timeOf({ url }: RunningProduct, key: string, tool: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const sent = performance.now();
  const answer = await post(agent, {
    url: `${url}/custom-tools/${tool}/execute`,
    headers,
    body: '{"arguments":{"n":1}}',
  });
  if (answer.status !== 200 || !answer.body.includes('"status":"succeeded"'))
    throw new Error(`${tool}: ${answer.status} ${answer.body.slice(0, 500)}`);
  return performance.now() - sent;
}

/** In rising order. */
async function inOrder(names: string[], time: (name: string) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (const name of names) all.push(await time(name));
  return all.toSorted((a, b) => a - b);
}
