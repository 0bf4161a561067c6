import { APPROVAL_SETTINGS_DEFAULT, type ProvidedTool, type ServiceOutline } from "@bulkhead/core";
import { BUILT_IN_TOOLS } from "@bulkhead/tools/built-in";
import { expect, test } from "vitest";
import { SERVICES_CHARS_MAX, tellServices, withServices } from "./tell-services.ts";

const toolOf = (name: string): ProvidedTool => BUILT_IN_TOOLS.find((tool) => tool.name === name)!;
const [MESSAGE, QUERY, READ] = ["message", "database_query", "read_file"].map(toolOf) as [
  ProvidedTool,
  ProvidedTool,
  ProvidedTool,
];
const OF_PEOPLE = { policy: null, ofKeys: null };

const serviceOf = (name: string, more: Partial<ServiceOutline> = {}): ServiceOutline => ({
  tenantId: "ten_1",
  name,
  kind: "slack",
  displayName: null,
  description: "not told",
  category: null,
  docsUrl: null,
  multiEntry: false,
  configSchema: [],
  allowedHosts: null,
  codeHosts: [],
  delivery: "placeholder",
  exchangeInBody: false,
  defaultLabel: "default",
  registeredBy: null,
  kept: true,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  entries: [{ label: "default" } as never],
  ...more,
});
/** What is told of services behind the words of the tool itself. */
const told = (tool: ProvidedTool, services: readonly ServiceOutline[], policies = OF_PEOPLE): string =>
  withServices(tool, services, policies).description.slice(tool.description.length + 1);

test("a tool that asks for a service's name says which of its kinds there are, and what people call them", () => {
  const services = [
    serviceOf("alerts", { displayName: "Ops\n  alerts" }),
    serviceOf("ledger", { kind: "postgres", displayName: "L".repeat(200) }),
    serviceOf("mail", { kind: "smtp" }),
    serviceOf("not_filled_in", { entries: [] }),
    serviceOf("weather", { kind: "api" }),
  ];
  expect(told(MESSAGE, services)).toBe(
    "For channel this tenant has alerts (slack: Ops alerts), mail (smtp).",
  );
  expect(told(QUERY, services)).toBe(`For database this tenant has ledger (postgres: ${"L".repeat(60)}…).`);
  expect(told(MESSAGE, [])).toBe("For channel this tenant has none yet.");
  expect(withServices(READ, services, OF_PEOPLE)).toBe(READ);
});

test("an agent is not told of those that a rule blocks for it", () => {
  const rule = { tool: "message", argument: "/channel", pattern: "boss*", decision: "blocked" } as const;
  const policy = { ...APPROVAL_SETTINGS_DEFAULT, rules: [rule] };
  const services = [serviceOf("boss_line"), serviceOf("team")];
  expect(told(MESSAGE, services, { policy, ofKeys: policy } as never)).toBe(
    "For channel this tenant has team (slack).",
  );
  expect(told(MESSAGE, services)).toContain("boss_line");
});

test("of many as many are told as there is room for, and how many more there are", () => {
  const many = Array.from({ length: 100 }, (_, n) => serviceOf(`channel_${n}_${"x".repeat(40)}`));
  const words = told(MESSAGE, many);
  expect(words.length).toBeLessThan(SERVICES_CHARS_MAX + 60);
  const count = words.split("channel_").length - 1;
  expect(count).toBeGreaterThan(3);
  expect(words).toMatch(new RegExp(`, and ${100 - count} more\\.$`));
  for (const tool of [MESSAGE, QUERY])
    expect(withServices(tool, many, OF_PEOPLE).description.length).toBeLessThanOrEqual(1_024);
});

test("nothing is read where no tool asks for one, and else the kinds that they ask for, of that tenant", async () => {
  const asked: unknown[] = [];
  const outlinesOf = async (...which: unknown[]) => (asked.push(which), [serviceOf("team")]);
  const tell = (tools: readonly ProvidedTool[]) =>
    tellServices({ configServices: { outlinesOf } }, "ten_1", OF_PEOPLE, tools);
  expect(await tell([READ])).toEqual([READ]);
  expect(asked).toEqual([]);
  expect((await tell([READ, MESSAGE]))[1]?.description).toContain("team (slack)");
  expect(asked).toEqual([["ten_1", ["smtp", "webhook", "slack", "discord", "telegram"]]]);
});
