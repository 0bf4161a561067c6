import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import { percentile } from "../load.ts";
import { openTenant, RATES_LIFTED, startProduct } from "../product.ts";
import { indexesRead, mayTellPlans } from "./indexes-read.ts";
import { fillExecutions } from "./many-executions.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { inTurns, using } from "./rounds.ts";

/** By default a million; a run that means nothing needs fewer. */
const EXECUTIONS_PER_SECOND = 250_000;
const executionsOf = ({ seconds }: Pick<Settings, "seconds">): number =>
  Math.min(1_000_000, seconds * EXECUTIONS_PER_SECOND);
const OTHERS = 4;
const EXECUTIONS_OF_OTHERS = 20_000;
const DAYS = 7;
const DAY_MS = 24 * 3_600_000;
/** Some 5,000 rows are made in a second on two busy cores. */
const fillSeconds = (settings: Settings): number =>
  (executionsOf(settings) + OTHERS * EXECUTIONS_OF_OTHERS) / 5_000;
const REQUESTS = 20;

const TOOL = `tool_${"0".repeat(16)}`;

/** The first one is what the others are compared with. */
const PAGES: Readonly<Record<string, string>> = {
  "no filter": "",
  "failed or lost": "status=failed,lost",
  "queued, of which there is none": "status=queued",
  "a tool": `tool=${TOOL}`,
  "a tool's failed ones": `tool=${TOOL}&status=failed`,
  "a tool's slow ones, of which there is none": `tool=${TOOL}&minMs=1000000`,
  "an agent": "agentId=agent_2",
  "an agent's, by a key that has none": "agentId=agent_2&keyId=key_none",
  "a rare key": "keyId=key_rare",
  "a key that has none": "keyId=key_none",
  "a source": "source=mcp",
  "a source that has none": "source=schedule",
  "a rare error code": "code=sandbox.crashed",
  "a conversation": "conversationId=conversation_400",
  "what one execution called": "parentId=exe_parent_77",
  "slow ones, of which there are few": "minMs=2000",
};

const statsOf = (more: string): string => {
  const to = new Date(Date.now() - DAY_MS);
  const from = new Date(to.getTime() - DAY_MS);
  return `/stats?from=${from.toISOString()}&to=${to.toISOString()}${more}`;
};

const paths = (): [name: string, path: string][] => [
  ...Object.entries(PAGES).map(([name, filter]): [string, string] => [
    `page: ${name}`,
    `?limit=50&${filter}`,
  ]),
  ["a day by hours", statsOf("")],
  ["a day by hours and status", statsOf("&groupBy=status")],
  ["a day by hours and tool", statsOf("&groupBy=tool")],
];

/** Lists and statistics of executions, by filter. */
export const lists: Part = {
  name: "lists",
  title: "Lists and statistics of a million executions",
  how:
    `A million executions (with \`--seconds\` below 4 a quarter of it a second) of one tenant over ${DAYS} days and ${OTHERS} other tenants beside it; one caller's ` +
    "requests to the API one after another, the first page of each filter. The page without a filter is the baseline. The indexes are those of the plans.",
  expectSeconds: (settings) =>
    START_SECONDS + fillSeconds(settings) + settings.rounds * Object.keys(PAGES).length * 2,
  measure: (settings) =>
    using<EmbeddedPostgres, Figure[]>(openPostgres({ throwaway: true }), async (postgres) => {
      await mayTellPlans(postgres.url);
      return using(startProduct({ DATABASE_URL: postgres.url }), async (product) => {
        const key = await openTenant(product, RATES_LIFTED);
        const headers = { authorization: `Bearer ${key}` };
        const me = await fetch(`${product.url}/me`, { headers });
        const { data } = (await me.json()) as { data: { tenant: { id: string } } };
        const others = Array.from({ length: OTHERS }, (_, n) => ({
          tenantId: `ten_other_${n}`,
          count: EXECUTIONS_OF_OTHERS,
          days: DAYS,
        }));
        const own = { tenantId: data.tenant.id, count: executionsOf(settings), days: DAYS };
        await fillExecutions(postgres.url, [...others, own], settings.note);
        const contenders = paths().map(([name, path]) => ({
          name,
          run: () => timesOf(`${product.url}/executions${path}`, headers),
        }));
        const measured = await inTurns(settings, contenders);
        const indexes: string[] = [];
        for (const [, path] of paths()) {
          const read = await indexesRead(postgres.url, own.tenantId, () =>
            ask(`${product.url}/executions${path}`, headers),
          );
          indexes.push(read.join(", "));
        }
        return contenders.flatMap(({ name }, place) =>
          [0.5, 0.95].map((share) => ({
            what: `${name}, p${share * 100}${share === 0.5 ? `, by ${indexes[place]}` : ""}`,
            unit: "ms" as const,
            rounds: (measured[place] ?? []).map((took) => percentile(took, share)),
          })),
        );
      });
    }),
};

/** Milliseconds in rising order; the first request, which meets a cold cache, is not among them. */
async function timesOf(url: string, headers: Record<string, string>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n <= REQUESTS; n += 1) {
    const sent = performance.now();
    await ask(url, headers);
    if (n > 0) took.push(performance.now() - sent);
  }
  return took.toSorted((a, b) => a - b);
}

async function ask(url: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`);
}
