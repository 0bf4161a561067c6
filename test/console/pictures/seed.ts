import { Bulkhead, type CreateToolBody } from "@bulkhead/client";
import type { SmallServer } from "../../support/mcp-servers.ts";
import { RATES_LIFTED, type RunningProduct } from "../../load/product.ts";
import { seedApprovals } from "./seed-approvals.ts";
import { seedMcp } from "./seed-mcp.ts";
import { seedSchedules, seedSecrets } from "./seed-secrets.ts";
import { seedWorkspace } from "./seed-workspace.ts";

/** A tenant that has a little of everything, and one that has nothing yet. */
export interface Seeded {
  /** Of the API's host, as in `http://127.0.0.1:40123`. */
  url: string;
  /** Owners' keys, and the administrator's. */
  key: string;
  emptyKey: string;
  adminKey: string;
  owner: Bulkhead;
  /** Ids of calls: one waits, the others were answered. */
  approvals: Awaited<ReturnType<typeof seedApprovals>>;
  /** A device that offers commands. */
  deviceId: string;
  toolId: (name: string) => string;
  /** The latest execution of a tool, as far as the seed has made one. */
  executionId: (tool: string) => string;
}

const text = { type: "string" };
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

const TOOLS: readonly CreateToolBody[] = [
  {
    name: "route_planner",
    title: "Route planner",
    description: "Plans the cheapest tour through up to 25 stops, with opening hours and a truck's weight.",
    category: "logistics",
    parameters: object(
      {
        stops: {
          type: "array",
          items: text,
          minItems: 2,
          maxItems: 25,
          description: "Addresses, in any order.",
        },
        departAt: { type: "string", format: "date-time" },
        truck: object({
          weightKg: { type: "integer", minimum: 500, maximum: 40_000 },
          electric: { type: "boolean" },
        }),
      },
      ["stops"],
    ),
    outputSchema: object({ legs: { type: "array", items: { type: "object" } }, totalKm: { type: "number" } }),
    code: [
      "const legs = [];",
      "for (const [index, stop] of args.stops.entries()) {",
      "  console.log('looking at', stop);",
      "  emit({ done: index + 1, total: args.stops.length });",
      "  legs.push({ from: args.stops[index - 1] ?? 'depot', to: stop, km: 12.5 * (index + 1) });",
      "}",
      "return { legs, totalKm: legs.reduce((sum, leg) => sum + leg.km, 0) };",
    ].join("\n"),
  },
  {
    name: "parse_invoice",
    description:
      "Reads number, date, lines and totals from an invoice's text, and says which of them are missing.",
    category: "finance",
    parameters: object({ text }, ["text"]),
    code: "const number = /INV-\\d+/.exec(args.text)?.[0];\nif (!number) throw new Error('The text has no number of an invoice.');\nreturn { number };",
  },
  {
    name: "customer_lookup",
    description: "Finds a customer by name, e-mail or number.",
    category: "sales",
    parameters: object({ query: text }, ["query"]),
    requiresApproval: true,
    requiredConfigServices: [{ name: "stripe" }, { name: "crm", displayName: "CRM", category: "sales" }],
    code: "console.warn('the index is two hours old');\nreturn [{ id: 'c_1', name: 'Nordwind GmbH', city: 'Kiel' }, { id: 'c_2', name: 'Acier SA', city: 'Metz' }];",
  },
  {
    name: "daily_report_with_a_name_that_is_as_long_as_names_of_tools_may",
    description: "A long one.",
    parameters: object({}),
    code: "return '# Daily report\\n\\n- 412 parcels\\n- 3 delays\\n\\n| city | parcels |\\n| --- | --- |\\n| Kiel | 12 |';",
  },
  {
    name: "plan_week",
    description: "Plans a tour for each day of a week.",
    category: "logistics",
    parameters: object({ week: text, days: { type: "integer" } }, ["week"]),
    code: [
      "const tours = [];",
      "for (const day of ['Monday', 'Tuesday', 'Wednesday'].slice(0, args.days ?? 3)) {",
      "  console.log('planning ' + day + ' of ' + args.week);",
      "  tours.push(await utils.callTool('route_planner', { stops: ['Kiel', day + 'dorf', 'Bremen'] }));",
      "  await new Promise((resolve) => setTimeout(resolve, 20));",
      "}",
      "console.warn('two parcels have no address yet');",
      "emit({ done: tours.length });",
      "return { week: args.week, totalKm: tours.reduce((sum, tour) => sum + tour.totalKm, 0), tours };",
    ].join("\n"),
  },
  {
    name: "slow_export",
    description: "Exports a year of orders; takes longer than it may.",
    category: "finance",
    parameters: object({}),
    limits: { wallMs: 300 },
    code: "await new Promise((resolve) => setTimeout(resolve, 5_000));",
  },
];

/** What a model made for a person, who has to look at it first, since it asks for more than to compute. */
const MADE_BY_MODEL = {
  name: "archive_orders",
  description: "Writes last month's orders into the workspace, one file a day.",
  parameters: object({ month: text }, ["month"]),
  permissions: ["filesystem" as const],
  code: "await utils.fs.write('orders/' + args.month + '.json', '[]'); return 'archived';",
};

/** What an agent wants to make. */
const PROPOSED = {
  name: "weather_at",
  description: "Tells the weather of a town, from a public service.",
  parameters: object({ town: text }, ["town"]),
  permissions: ["network" as const],
  code: "const r = await fetch('https://wttr.in/' + encodeURIComponent(args.town)); return await r.text();",
};

/** What a model made, and what it made of that: it asks for more than before. */
const DIGEST = {
  name: "weather_digest",
  description: "Gathers the weather of the towns on today's routes.",
  parameters: object({ town: text }, ["town"]),
  permissions: ["network" as const],
  code: "const r = await fetch('https://wttr.in/' + encodeURIComponent(args.town));\nreturn await r.text();",
};
const GROWN_DIGEST = {
  name: "weather_digest",
  permissions: ["network" as const, "email" as const],
  code: "const r = await fetch('https://wttr.in/' + encodeURIComponent(args.town));\nconst text = await r.text();\nawait utils.email.send({ to: 'team@example.com', subject: args.town, text });\nreturn text;",
};

const NEWER_INVOICES =
  "const number = /INV-\\d+/.exec(args.text)?.[0];\nif (!number) throw new Error('The text has no number of an invoice.');\nconst date = /of the (\\S+)/.exec(args.text)?.[1];\nreturn { number, date, missing: date ? [] : ['date'] };";

const RUNS: readonly [tool: string, args: Record<string, unknown>, times: number][] = [
  ["route_planner", { stops: ["Kiel", "Hamburg", "Bremen", "Oldenburg"] }, 14],
  ["parse_invoice", { text: "INV-2041 of the 3rd" }, 9],
  ["parse_invoice", { text: "no number" }, 3],
  ["customer_lookup", { query: "nord" }, 6],
  ["slow_export", {}, 2],
  ["plan_week", { week: "2026-W48" }, 1],
  ["plan_week", { week: "2026-W49", days: 2 }, 1],
];

const POLICY = {
  deny: ["group:runtime"],
  agents: {
    dispatcher: { deny: ["slow_export"] },
    billing: { allow: ["parse_invoice"] },
    clerk: { allow: ["parse_invoice", "group:meta"] },
  },
  groups: { money: ["parse_invoice", "?pay_*"] },
  byProvider: { small_model: { profile: "minimal" } },
  subagents: { deny: ["group:money"] },
  forbid: ["gateway"],
};

async function newTenant(admin: Bulkhead, slug: string, name: string): Promise<{ id: string; key: string }> {
  const { id } = await admin.tenants.create({ slug, name, limits: RATES_LIFTED });
  const { key } = await admin.apiKeys.create(id, { name: "Console", role: "owner" });
  return { id, key };
}

/** Fills the product by its public API alone; the MCP server becomes one of the tenant's. */
export async function seed(product: RunningProduct, mcpServer: SmallServer): Promise<Seeded> {
  const url = new URL(product.url).origin;
  const admin = new Bulkhead({ url, key: product.adminKey });
  const { id, key } = await newTenant(admin, "acme", "Acme Logistics");
  const { key: emptyKey } = await newTenant(admin, "empty", "Nothing yet");
  const owner = new Bulkhead({ url, key });
  const ids = new Map<string, string>();
  await seedSecrets(owner);
  for (const tool of TOOLS) ids.set(tool.name, (await owner.tools.create(tool)).id);
  await owner.tools.disable(ids.get("slow_export") ?? "");
  await owner.tools.enable(ids.get("slow_export") ?? "");
  const agentKey = await admin.apiKeys.create(id, {
    name: "Dispatcher",
    role: "agent",
    agentId: "dispatcher",
  });
  const agent = new Bulkhead({ url, key: agentKey.key });
  await owner.metaTools.createTool(MADE_BY_MODEL);
  await agent.metaTools.createTool(PROPOSED);
  const latest = new Map<string, string>();
  await owner.metaTools.createTool(DIGEST);
  await owner.metaTools.updateTool(GROWN_DIGEST);
  await owner.tools.update("parse_invoice", { code: NEWER_INVOICES, limits: { wallMs: 5_000 } });
  await owner.policy.put(POLICY);
  for (const [tool, args, times] of RUNS)
    for (let run = 0; run < times; run += 1)
      latest.set(tool, (await owner.tools.execute(tool, { arguments: args })).executionId);
  const approvals = await seedApprovals(owner, agent);
  const waiting = await owner.approvals.get(approvals.waiting);
  if (waiting.kind === "execution") latest.set("reorder_parts", waiting.executionId);
  await seedSchedules(owner);
  const deviceId = await seedWorkspace(owner);
  await seedMcp(owner, agent, mcpServer);
  const pending = await owner.tools.pending();
  for (const tool of pending.tools) ids.set(tool.name, tool.id);
  return {
    url,
    key,
    emptyKey,
    adminKey: product.adminKey,
    owner,
    approvals,
    deviceId,
    toolId: (name) => ids.get(name) ?? name,
    executionId: (tool) => latest.get(tool) ?? tool,
  };
}
