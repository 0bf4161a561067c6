import { expect, it } from "vitest";
import { PLACEHOLDER, placeSecrets } from "./placeholder.ts";
import type { HeldSecret, OpenedService } from "./service-configs.ts";

const secret = (change: Partial<HeldSecret> = {}): HeldSecret => ({
  service: "weather",
  entry: "main",
  field: "api_key",
  value: "s3cret-value",
  hosts: ["api.example.com"],
  revealed: false,
  inBody: false,
  wholeWordsOnly: false,
  ...change,
});
const service = (secrets: HeldSecret[], change: Partial<OpenedService> = {}): OpenedService => ({
  name: "weather",
  kind: "api",
  displayName: "Weather",
  description: null,
  category: "data",
  docsUrl: null,
  multiEntry: false,
  entries: [
    { label: "main", isDefault: true, values: { base_url: "https://api.example.com", n: 3 }, secrets },
  ],
  ...change,
});
const dataOf = (configJson: string, name = "weather") =>
  JSON.parse(configJson).services[name].entries[0].data as Record<string, unknown>;

it("a tool sees a service with its entries, and a placeholder where a secret is", () => {
  const { configJson, placed } = placeSecrets([service([secret()])]);
  const placeholder = placed[0]?.placeholder;
  expect(JSON.parse(configJson)).toEqual({
    services: {
      weather: {
        name: "weather",
        displayName: "Weather",
        description: null,
        category: "data",
        docsUrl: null,
        multiEntry: false,
        entries: [
          {
            label: "main",
            isDefault: true,
            data: { base_url: "https://api.example.com", n: 3, api_key: placeholder },
          },
        ],
      },
    },
  });
  expect(placed).toEqual([{ placeholder, secret: secret() }]);
  expect(configJson).not.toContain("s3cret-value");
});

it("a placeholder is the same text in a URL, a header, JSON and lower case, and no two are alike", () => {
  const services = [service([secret(), secret({ field: "other" })])];
  const all = [...placeSecrets(services).placed, ...placeSecrets(services).placed].map(
    ({ placeholder }) => placeholder,
  );
  expect(new Set(all).size).toBe(4);
  for (const one of all) {
    expect(one).toMatch(new RegExp(`^${PLACEHOLDER.source}$`));
    expect([
      encodeURIComponent(one),
      new URLSearchParams([["", one]]).toString().slice(1),
      one.toLowerCase(),
    ]).toEqual([one, one, one]);
    expect(JSON.stringify(one)).toBe(`"${one}"`);
  }
});

it("what is revealed is shown as it is, and is nobody's to exchange", () => {
  const { configJson, placed } = placeSecrets([service([secret({ revealed: true })])]);
  expect(dataOf(configJson)).toMatchObject({ api_key: "s3cret-value" });
  expect(placed).toEqual([]);
});

it("names of the language's own are names like others", () => {
  const { configJson } = placeSecrets([service([secret({ field: "__proto__" })], { name: "__proto__" })]);
  expect(configJson).toMatch(/"services":\{"__proto__":\{.*"__proto__":"bhs_/);
});

it("without services there is nothing to look up", () => {
  expect(placeSecrets([])).toEqual({ services: [], configJson: '{"services":{}}', placed: [] });
});
