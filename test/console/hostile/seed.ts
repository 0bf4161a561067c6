import { Bulkhead, BulkheadError } from "@bulkhead/client";
import type { Served } from "../../support/client.ts";
import type { SmallServer } from "../../support/mcp-servers.ts";
import { RATES_LIFTED } from "../../load/product.ts";
import type { Seeded } from "../pictures/seed.ts";

/** Sets a mark on the page that runs it, by a tag, an address or a handler; turns writing, hides, and breaks nowhere. */
const RUNS = `<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>`;
const HOSTILE = `${RUNS}[press](javascript:globalThis.owned=1)\u202Egnp.exe\u200B${"W".repeat(40)}`;
const WIDE = `${HOSTILE} ${"ﷺ".repeat(60)}${"\u0336x".repeat(60)}`;
/** With one more byte some bound of a result or an argument would refuse it. */
const MEGABYTE = 900_000;

/** What stands behind a gap that is wider than any window. */
export const HIDDEN = "hiddenBehindTheGap()";
const GAP = " ".repeat(300);

/** Makes something by a hostile text; by a plain one where the API refuses such a text. */
async function asFarAsAllowed<T>(make: (text: string) => Promise<T>): Promise<T> {
  try {
    return await make(HOSTILE);
  } catch (error) {
    if (error instanceof BulkheadError && error.status >= 400 && error.status < 500)
      return await make("plain");
    throw error;
  }
}

const js = (value: unknown): string => JSON.stringify(value);

const SAYS = [
  `// ${HOSTILE}`,
  `const sum = 1;${GAP}/* ${HIDDEN} */`,
  "\n".repeat(300),
  `console.log(${js(HOSTILE)}); console.warn(${js(WIDE)}); console.error("x".repeat(8000));`,
  `emit({ done: 1, total: 2, message: ${js(HOSTILE)} });`,
].join("\n");

const DEEP = `let deep = ${js(HOSTILE)}; for (let at = 0; at < 200; at += 1) deep = { [${js(HOSTILE)}]: deep };`;

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.owned=1"><script>globalThis.owned=1</script></svg>`;
const MARKDOWN = `# ${HOSTILE}\n\n[press me](javascript:globalThis.owned=1) **more** ![x](http://example.com/x.png)\n\n| a |\n| --- |\n| ${WIDE} |`;
const CONTENT = [
  { type: "text", text: MARKDOWN },
  { type: "image", data: Buffer.from(SVG).toString("base64"), mimeType: "image/svg+xml" },
  { type: "image", data: Buffer.from(RUNS).toString("base64"), mimeType: "text/html" },
  { type: "resource_link", uri: "javascript:globalThis.owned=1", name: HOSTILE },
  { type: "resource", resource: { uri: `javascript:${HOSTILE}`, mimeType: "text/html", text: RUNS } },
];

/** What each tool's code is, by the name that the pictures have for it. */
const CODES: Readonly<Record<string, string>> = {
  plan_week: `${SAYS}\n${DEEP}\nreturn { big: "A".repeat(${MEGABYTE}), deep, [${js(HOSTILE)}]: ${js(WIDE)} };`,
  route_planner: `${SAYS}\nreturn "A".repeat(${MEGABYTE});`,
  parse_invoice: `${SAYS}\nthrow new Error(${js(WIDE)} + "A".repeat(2000));`,
  customer_lookup: `return [{ [${js(HOSTILE)}]: ${js(WIDE)}, b: ${js(HOSTILE)} }];`,
  weather_digest: `return utils.content(${js(CONTENT)});`,
  archive_orders: `return "=cmd|' /C calc'!A1,${"x".repeat(300)}\\n1,2";`,
};

const ARGUMENTS = {
  [HOSTILE]: HOSTILE,
  text: HOSTILE,
  command: `ls${GAP}${HIDDEN}`,
  long: "A".repeat(20_000),
  deep: Array.from({ length: 40 }).reduce((within) => ({ [HOSTILE.slice(0, 40)]: within }), HOSTILE),
};

const PARAMETERS = {
  type: "object",
  description: HOSTILE,
  properties: {
    [HOSTILE]: { type: "string", title: HOSTILE, description: WIDE, default: HOSTILE, examples: [HOSTILE] },
    pick: { enum: [HOSTILE, WIDE] },
    command: { type: "string" },
  },
};

/** A tenant all of whose texts are a stranger's who means harm, under the names that the console's screens are opened by. */
export async function seedHostile(product: Served, mcpServer: SmallServer): Promise<Seeded> {
  const admin = new Bulkhead({ url: product.url, key: product.adminKey });
  const slug = `hostile-${Date.now()}-${process.pid}`;
  const tenant = await admin.tenants.create({ slug, name: HOSTILE.slice(0, 100), limits: RATES_LIFTED });
  const keyOf = async (role: "owner" | "agent"): Promise<string> => {
    const agentId = role === "agent" ? { agentId: HOSTILE.slice(0, 60) } : {};
    return (
      await asFarAsAllowed((name) =>
        admin.apiKeys.create(tenant.id, { name: name.slice(0, 90), role, ...agentId }),
      )
    ).key;
  };
  const [key, agentKey] = [await keyOf("owner"), await keyOf("agent")];
  const owner = new Bulkhead({ url: product.url, key });
  const agent = new Bulkhead({ url: product.url, key: agentKey });
  const ids = new Map<string, string>();
  const runs = new Map<string, string>();
  for (const [name, code] of Object.entries(CODES)) {
    const made = await asFarAsAllowed((text) =>
      owner.tools.create({
        name,
        title: text,
        description: `${text} ${WIDE}`,
        category: text.slice(0, 40),
        parameters: PARAMETERS,
        code,
      }),
    );
    ids.set(name, made.id);
    await owner.tools.update(made.id, {
      code: `/* ${HOSTILE} */\n${code}${GAP}// ${HIDDEN}`,
      description: HOSTILE,
    });
    runs.set(name, (await owner.tools.execute(name, { arguments: ARGUMENTS })).executionId);
  }
  const approvals = await seedCalls(owner, agent);
  await seedOthers(owner, ids);
  await seedServer(owner, agent, mcpServer);
  await seedWorkspace(owner);
  const deviceId = await seedDevice(owner);
  const some = (map: ReadonlyMap<string, string>, name: string): string =>
    map.get(name) ?? map.get("parse_invoice") ?? "";
  return {
    url: product.url,
    key,
    emptyKey: key,
    adminKey: product.adminKey,
    owner,
    approvals,
    deviceId,
    toolId: (name) => some(ids, name),
    executionId: (name) => some(runs, name),
  };
}

/** Calls of an agent's that wait, are denied, are allowed and are allowed for good, and a tool that it wishes to make. */
async function seedCalls(owner: Bulkhead, agent: Bulkhead): Promise<Seeded["approvals"]> {
  await owner.settings.update({ approval: { timeoutMs: 1_800_000 } });
  const ask = async (): Promise<string> => {
    const context = { conversationId: HOSTILE.slice(0, 100), userId: HOSTILE.slice(0, 100) };
    const asked = { arguments: ARGUMENTS, context, mode: "async" } as const;
    return (await owner.approvals.get((await agent.tools.execute("customer_lookup", asked)).executionId)).id;
  };
  const denied = await ask();
  await owner.approvals.deny(denied, { reason: WIDE });
  const allowed = await ask();
  await owner.approvals.allowOnce(allowed, {});
  // What is allowed for good asks nobody.
  const waiting = await ask();
  await owner.approvals.allowAlways(await ask(), {
    argument: "/text",
    pattern: "<img src=x onerror=*",
  });
  await agent.metaTools.createTool({
    name: "proposed",
    description: WIDE,
    parameters: PARAMETERS,
    permissions: ["network"],
    code: `${SAYS}\nreturn 1;`,
  });
  const { approvals } = await owner.approvals.list();
  return {
    waiting,
    denied,
    allowed,
    proposed: approvals.find(({ kind }) => kind === "meta_tool")?.id ?? waiting,
  };
}

/** Services, entries, rules, schedules, a policy. */
async function seedOthers(owner: Bulkhead, ids: ReadonlyMap<string, string>): Promise<void> {
  for (const name of ["stripe", "partner_api", "maps"]) {
    await asFarAsAllowed((text) =>
      owner.configServices.create({
        name,
        displayName: text.slice(0, 100),
        description: text,
        category: text.slice(0, 40),
        multiEntry: true,
        configSchema: [{ name: "token", type: "secret", required: true, description: text.slice(0, 100) }],
      }),
    );
    await asFarAsAllowed((text) =>
      owner.configEntries.create(name, { label: text.slice(0, 60), data: { token: "wert-geheim-1234" } }),
    );
  }
  await asFarAsAllowed((text) =>
    owner.scrubRules.create({ name: text.slice(0, 60), pattern: "CUST-[0-9]{6}" }),
  );
  const schedule = await asFarAsAllowed((name) =>
    owner.schedules.create({
      name: name.slice(0, 100),
      tool: ids.get("parse_invoice") ?? "",
      cron: "0 9 * * 1-5",
      arguments: ARGUMENTS,
    }),
  );
  await owner.schedules.run(schedule.id);
  await asFarAsAllowed((text) =>
    owner.policy.put({
      agents: { [text.slice(0, 60)]: { deny: ["parse_invoice"] }, dispatcher: { deny: ["plan_week"] } },
      groups: { [text === "plain" ? "plain" : text.slice(0, 40)]: ["parse_invoice"] },
    }),
  );
}

/** Another's server with tools that say what they like, one of which has changed, and a wish for it. */
async function seedServer(owner: Bulkhead, agent: Bulkhead, server: SmallServer): Promise<void> {
  const tool = (description: string) => ({
    name: "write-note",
    title: HOSTILE,
    description,
    inputSchema: PARAMETERS,
  });
  server.tools = [tool(HOSTILE), { ...tool(WIDE), name: "read-notes" }];
  await owner.mcpServers.create({ name: "notes", transport: "streamable-http", url: server.url });
  await owner.mcpServers.refresh("notes");
  server.tools = [tool(`${WIDE}${GAP}${HIDDEN}`)];
  await owner.mcpServers.refresh("notes");
  await owner.mcpServers.putGrant("notes", { scope: "user", id: HOSTILE, toolAllow: ["write-note"] });
  await agent.mcpAccessRequests.create({ server: "notes", toolAllow: ["write-note"], reason: WIDE });
}

/** Files and documents, some of them under the names that the screens open; no name of theirs is refused. */
async function seedWorkspace(owner: Bulkhead): Promise<void> {
  await owner.files.write("README.md", `${MARKDOWN}\n${"W".repeat(400)}`);
  await owner.files.write("README.md", `${MARKDOWN}${GAP}${HIDDEN}`);
  await owner.files.write("scripts/tidy.js", SAYS);
  await owner.files.write("logs/day-02.txt", `planned 14 ${WIDE}`);
  await owner.files.write("logs/day-03.html", RUNS);
  await owner.files.write("picture.svg", SVG);
  await owner.files.write(`${RUNS}${"W".repeat(100)}.md`, RUNS);
  for (const [collection, id] of [
    ["invoices", "INV-2005"],
    ["invoices", `${HOSTILE}${"W".repeat(200)}`],
    ["W".repeat(64), HOSTILE],
  ] as const)
    await owner.data.put(collection, id, { value: { ...ARGUMENTS, [WIDE]: [RUNS, { [RUNS]: WIDE }] } });
}

/** A machine that calls itself and its command as it likes, as far as it may. */
async function seedDevice(owner: Bulkhead): Promise<string> {
  const { code } = await owner.devices.code({ userId: HOSTILE });
  const { device } = await owner.devices.pair({
    code,
    name: RUNS + "W".repeat(100 - RUNS.length),
    platform: RUNS,
    commands: [{ name: "W".repeat(64), description: WIDE, parameters: PARAMETERS }],
  });
  return device.id;
}
