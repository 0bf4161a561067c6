import { load, median, type Load } from "../load.ts";
import { ask, createTool } from "../product.ts";
import { BODY, startBulkhead, type System } from "../systems.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part, type Settings } from "./part.ts";
import { callRightly, inTurns, using } from "./rounds.ts";

/** Tools that the tenant has beside the one that is called. */
const TOOLS = 500;
const CREATE_SECONDS = 15;

const CALL = { name: "bench_sum", arguments: JSON.parse(BODY).arguments };

/** What a call through the door for agents costs over one by REST. */
export const mcp: Part = {
  name: "mcp",
  title: "A call by MCP beside one by REST",
  how: `One caller, kept alive, calls a small tool of a tenant with ${TOOLS} others by REST, by revision 2026-07-28 and in a session of 2025-11-25, in turns; from request to the end of the answer.`,
  expectSeconds: (settings) =>
    START_SECONDS + CREATE_SECONDS + 3 * (warmUpSeconds(settings) + settings.rounds * settings.seconds),
  measure: (settings) =>
    using(startBulkhead(), async (system) => {
      await fill(system);
      const doors = await doorsOf(system, settings);
      for (const { run } of doors) await run(warmUpSeconds(settings));
      const contenders = doors.map(({ name, run }) => ({ name, run: () => run(settings.seconds) }));
      const [rest = [], ...others] = await inTurns(settings, contenders);
      const p50 = (loads: Load[]) => loads.map((one) => one.p50);
      return [rest, ...others].flatMap((loads, place): Figure[] => {
        const name = doors[place]?.name ?? "";
        const whole: Figure = { what: `${name}, p50`, unit: "ms", rounds: p50(loads) };
        if (place === 0) return [whole];
        const over = loads.map((one, round) => one.p50 - (rest[round]?.p50 ?? median(p50(rest))));
        return [whole, { what: `${name}, over REST, p50`, unit: "ms", rounds: over }];
      });
    }),
};

/** The tools, and the tenant's word that agents may call them. */
async function fill({ url, headers }: System): Promise<void> {
  const root = url.slice(0, url.indexOf("/custom-tools"));
  const key = keyOf(headers);
  const body = { approval: { default: "preApproved" } };
  await ask(`${root}/tenant/settings`, { key, method: "PATCH", body, status: 200 });
  for (let n = 0; n < TOOLS; n += 1) await createTool(root, key, { name: `other_${n}`, code: "return 1;" });
}

const keyOf = (headers: Record<string, string>): string => headers["authorization"]?.split(" ")[1] ?? "";

async function doorsOf(system: System, { note }: Settings) {
  const url = new URL("/mcp", system.url).href;
  const accept = { ...system.headers, accept: "application/json, text/event-stream" };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const stateless = {
    name: "MCP without sessions",
    headers: {
      ...accept,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": CALL.name,
    },
    body: message({ ...CALL, _meta: meta }),
  };
  const session = {
    name: "MCP in a session",
    headers: {
      ...accept,
      "mcp-protocol-version": "2025-11-25",
      "mcp-session-id": await sessionAt(url, accept),
    },
    body: message(CALL),
  };
  const byMcp = [stateless, session].map(({ name, ...sent }) => ({
    name,
    run: async (seconds: number): Promise<Load> => {
      const measured = await load({ url, ...sent, connections: 1, durationMs: seconds * 1_000, isRight });
      if (measured.wrong > 0) throw new Error(`${name}: wrong answers: ${measured.firstWrong}`);
      return measured;
    },
  }));
  note(`${TOOLS} tools are there`);
  return [{ name: "REST", run: (seconds: number) => callRightly(system, 1, seconds) }, ...byMcp];
}

const message = (params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

const isRight = (status: number, body: string): boolean => status === 200 && body.includes('\\"sum\\":15');

async function sessionAt(url: string, headers: Record<string, string>): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "load", version: "1" },
  };
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
  });
  return answer.headers.get("mcp-session-id") ?? "";
}
