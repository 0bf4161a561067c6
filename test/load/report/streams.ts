import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { post } from "../load.ts";
import { ask, createTool, openTenant, RATES_LIFTED, startProduct, type RunningProduct } from "../product.ts";
import { openIdleStreams } from "./idle-streams.ts";
import { memoryByRole } from "./memory-by-role.ts";
import { START_SECONDS, type Figure, type Part } from "./part.ts";
import { inTurns, using } from "./rounds.ts";

const BATCH_SIZE = 1_000;
/** They wait for longer than any run of the report. */
const WAITS_MS = 1_800_000;
const TIMEOUT_MS = 3_600_000;
/** A process that has just opened connections gives memory back. */
const SETTLE_MS = 1_500;
const CONNECTIONS = 8;
const EVENTS_EACH = 200;
const OPENED_PER_SECOND_EXPECTED = 400;

/** Clients that follow executions, on one API process. */
export const streams: Part = {
  name: "streams",
  title: "Event streams",
  how:
    "Idle streams of one API process, each on its own connection and of its own execution; what its resident memory has grown by since before the first. Then, " +
    `while they stay open, events of tools called in stream mode over ${CONNECTIONS} connections, ${EVENTS_EACH} of each call, as they arrive.`,
  expectSeconds: ({ rounds, seconds, streams: count }) =>
    START_SECONDS + rounds * ((2 * count) / OPENED_PER_SECOND_EXPECTED + seconds + 4),
  measure: (settings) =>
    using(startProduct(), async (product) => {
      const key = await openTenant(product, RATES_LIFTED);
      await createTool(product.url, key, { name: "waits", code: "return 1;" });
      const talker = await openTenant(product, RATES_LIFTED);
      await createTool(product.url, talker, {
        name: "talks",
        code: `for (let n = 0; n < ${EVENTS_EACH}; n += 1) emit(n); return 1;`,
      });
      const headers = { authorization: `Bearer ${key}` };
      const urls = await submitWaiting(product, key, settings.streams);
      // What the first connections cost once for all.
      (await openIdleStreams(urls.slice(0, 50), headers)).close();
      await eventsPerSecond(product, talker, settings.seconds);
      await delay(SETTLE_MS);
      // A process keeps for its next streams what the last ones took, so all rounds count from here.
      const before = apiMib();
      const run = async () => {
        const idle = await openIdleStreams(urls, headers);
        try {
          await delay(SETTLE_MS);
          const kib = ((apiMib() - before) * 1_024) / urls.length;
          const events = await eventsPerSecond(product, talker, settings.seconds);
          return { opened: urls.length / (idle.openedMs / 1_000), kib, events, open: idle.open() };
        } finally {
          idle.close();
        }
      };
      const [rounds = []] = await inTurns(settings, [{ name: `${urls.length} idle streams`, run }]);
      const figure = (what: string, unit: Figure["unit"], of: keyof (typeof rounds)[number]): Figure => ({
        what,
        unit,
        rounds: rounds.map((round) => round[of]),
      });
      return [
        figure("idle streams open at a time", "count", "open"),
        figure("streams opened", "/s", "opened"),
        figure("memory of an idle stream", "KiB", "kib"),
        figure("events delivered beside them", "/s", "events"),
      ];
    }),
};

const apiMib = (): number => memoryByRole()["api"]?.rssMib ?? Number.NaN;

/** Executions that wait for their time; the addresses of their streams. */
async function submitWaiting({ url }: RunningProduct, key: string, count: number): Promise<string[]> {
  const urls: string[] = [];
  const call = { tool: "waits", arguments: {}, delayMs: WAITS_MS, timeoutMs: TIMEOUT_MS };
  while (urls.length < count) {
    const body = {
      executions: Array.from({ length: Math.min(BATCH_SIZE, count - urls.length) }, () => call),
    };
    const wanted = { key, body, status: 202 };
    const answer = await ask<{ executions: { executionId?: string }[] }>(`${url}/executions/batch`, wanted);
    for (const { executionId } of answer.executions) {
      if (executionId === undefined)
        throw new Error(`refused: ${JSON.stringify(answer.executions)}`.slice(0, 500));
      urls.push(`${url}/executions/${executionId}/events`);
    }
  }
  return urls;
}

/** Of calls in stream mode, one after another on each connection. */
async function eventsPerSecond({ url }: RunningProduct, key: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const to = { url: `${url}/custom-tools/talks/execute`, headers: { authorization: `Bearer ${key}` } };
  const startedAt = performance.now();
  let events = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < startedAt + seconds * 1_000) {
      const { status, body } = await post(agent, { ...to, body: '{"arguments":{},"mode":"stream"}' });
      const came = body.match(/^event: /gmu)?.length ?? 0;
      if (status !== 200 || came < EVENTS_EACH)
        throw new Error(`a stream had ${came} events (${status}): ${body.slice(0, 500)}`);
      events += came;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return events / tookSeconds;
}
