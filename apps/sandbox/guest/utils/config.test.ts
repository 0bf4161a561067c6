import { describe, expect, it, vi } from "vitest";
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

runFacts.configJson = JSON.stringify({ services: SERVICES });

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
    vi.resetModules();
    const untold = await import("./config.ts");
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
