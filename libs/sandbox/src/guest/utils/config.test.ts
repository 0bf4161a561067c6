import { describe, expect, it, vi } from "vitest";
import { connectBridge } from "../bridge.ts";
import { budget } from "../budget.ts";
import { runFacts } from "../run-facts.ts";
import { getApiKey, getConfigEntries, getConfigEntry, getFieldValue, getServiceConfig } from "./config.ts";

const SERVICES = {
  weather: {
    displayName: "Weather",
    entries: [
      { label: "old", isDefault: false, data: { api_key: "k-old" } },
      { label: "main", isDefault: true, data: { api_key: "k-main", retries: 0, tags: ["x"] } },
    ],
  },
  smtp: {
    entries: [
      { label: "work", isDefault: false, data: { host: "a.example", api_key: 5 } },
      { label: "home", isDefault: false, data: { host: "b.example" } },
    ],
  },
  empty: { entries: [] },
};

const post = vi.fn<(operation: string, id: number, text: string, level: string) => void>();

function begin(at: { connect: typeof connectBridge; budget: typeof budget; facts: typeof runFacts }): void {
  at.connect(post, () => "", null);
  Object.assign(at.budget, { bytesMax: 100_000, bytesLeft: 100_000, linesLeft: 100 });
  at.facts.configJson = JSON.stringify({ services: SERVICES });
}
begin({ connect: connectBridge, budget, facts: runFacts });

/** The guest of another run. */
async function anew() {
  vi.resetModules();
  const [{ connectBridge: connect }, spent, { runFacts: facts }] = await Promise.all([
    import("../bridge.ts"),
    import("../budget.ts"),
    import("../run-facts.ts"),
  ]);
  begin({ connect, budget: spent.budget, facts });
  return { facts, config: await import("./config.ts") };
}

it("a service without values is told of once in the run's log, with what to do", async () => {
  const { config } = await anew();
  post.mockClear();
  for (const service of ["empty", "unknown", "weather", "empty", "unknown"]) {
    config.getApiKey(service);
    config.getConfigEntries(service);
  }
  expect(post.mock.calls.map(([kind, , text, level]) => [kind, text, level])).toEqual([
    [
      "log",
      'utils: the service "empty" has no entry yet: a person fills it in with POST /api/v1/config-services/empty/entries.',
      "warn",
    ],
    [
      "log",
      'utils: this run knows no service "unknown": the tool does not declare it (requiredConfigServices), ' +
        "or it is gone (GET /api/v1/config-services).",
      "warn",
    ],
  ]);
});

it("only so many services are told of", async () => {
  const { config } = await anew();
  post.mockClear();
  for (let n = 0; n < 50; n += 1) config.getApiKey(`service-${n}`);
  expect(post).toHaveBeenCalledTimes(20);
});

describe("config look-ups", () => {
  it.each([
    ["weather", "k-main"],
    ["smtp", undefined],
    ["empty", undefined],
    ["unknown", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ])("getApiKey of %s is %s", (service, expected) => {
    expect(getApiKey(service)).toBe(expected);
  });

  it.each([
    ["weather", undefined, SERVICES.weather.entries[1]?.data],
    ["weather", "old", { api_key: "k-old" }],
    ["weather", "Old", null],
    ["smtp", undefined, { host: "a.example", api_key: 5 }],
    ["smtp", "home", { host: "b.example" }],
    ["empty", undefined, null],
    ["unknown", undefined, null],
  ])("getConfigEntry of %s, %s is %j", (service, label, expected) => {
    expect(getConfigEntry(service, label)).toEqual(expected);
  });

  it.each([
    ["weather", "retries", undefined, 0],
    ["weather", "tags", undefined, ["x"]],
    ["weather", "api_key", "old", "k-old"],
    ["weather", "missing", undefined, undefined],
    ["weather", "toString", undefined, undefined],
    ["weather", "api_key", "nope", undefined],
    ["unknown", "api_key", undefined, undefined],
  ])("getFieldValue of %s, %s, %s is %j", (service, field, label, expected) => {
    expect(getFieldValue(service, field, label)).toEqual(expected);
  });

  it("getConfigEntries are all of a service with their labels, none of an unknown one", () => {
    expect(getConfigEntries("smtp")).toEqual(SERVICES.smtp.entries);
    expect([getConfigEntries("empty"), getConfigEntries("unknown")]).toEqual([[], []]);
  });

  it("getServiceConfig is all that is known, null of an unknown one", () => {
    expect(getServiceConfig("weather")).toEqual(SERVICES.weather);
    expect([getServiceConfig("unknown"), getServiceConfig("toString")]).toEqual([null, null]);
  });

  it("are not changed by what a tool does to their answers", () => {
    Object.assign(getConfigEntry("weather") ?? {}, { api_key: "forged" });
    (getConfigEntries("smtp") as unknown[]).length = 0;
    (getFieldValue("weather", "tags") as string[]).push("y");
    expect([getApiKey("weather"), getConfigEntries("smtp").length, getFieldValue("weather", "tags")]).toEqual(
      ["k-main", 2, ["x"]],
    );
  });

  it("find nothing in a run that was told nothing", async () => {
    const { facts, config: untold } = await anew();
    facts.configJson = "{}";
    expect([
      untold.getApiKey("weather"),
      untold.getServiceConfig("weather"),
      untold.getConfigEntries("x"),
    ]).toEqual([undefined, null, []]);
  });

  it("name the argument that is no name", () => {
    const given = {} as unknown as string;
    expect(() => getApiKey(given)).toThrow("utils.getApiKey: serviceName must be a string");
    expect(() => getFieldValue("weather", given)).toThrow("utils.getFieldValue: fieldName must be a string");
    expect(() => getConfigEntry("weather", given)).toThrow(
      "utils.getConfigEntry: entryLabel must be a string",
    );
  });
});
