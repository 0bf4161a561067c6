import type { StoredEntry } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openFor, OWNER, placeOf, sampleService, sealFor } from "./fixtures/config-world.ts";
import { serviceConfigs } from "./open-services.ts";

const AT = new Date(0);
const SECRET = "sk_live_0123456789abcd";

const entry = (label: string, sealedFor = label, values: StoredEntry["values"] = {}): StoredEntry => ({
  label,
  values,
  secrets: {
    api_key: {
      sealed: sealFor(SECRET, placeOf("weather", sealedFor, "api_key")),
      setAt: AT,
      setBy: "key_1",
      lastFour: null,
      wholeWordsOnly: false,
    },
  },
  createdAt: AT,
  updatedAt: AT,
});

const opening = (fields: Parameters<typeof sampleService>[0]) => {
  const asked: string[][] = [];
  const configs = serviceConfigs({
    configServices: {
      find: (_tenantId, names) => {
        asked.push([...names]);
        return Promise.resolve([sampleService(fields)]);
      },
    },
    vault: { open: (sealed, place) => Promise.resolve().then(() => openFor(sealed, place)) },
  });
  return { asked, open: (names: string[]) => configs.open(OWNER.tenantId, names) };
};

test("entries are opened with where their secrets may go, and with the defaults of what is not filled in", async () => {
  const { open } = opening({
    defaultLabel: "b",
    exchangeInBody: true,
    codeHosts: ["code.example"],
    configSchema: [
      { name: "api_key", type: "secret", required: true },
      { name: "base_url", type: "url", required: false },
      { name: "retries", type: "number", required: false, default: 3 },
    ],
    entries: [entry("a"), entry("b", "b", { base_url: "https://b.example", retries: 0 })],
  });
  const secret = { service: "weather", field: "api_key", value: SECRET, revealed: false, inBody: true };
  expect(await open(["weather"])).toMatchObject([
    {
      name: "weather",
      multiEntry: false,
      entries: [
        {
          label: "a",
          isDefault: false,
          values: { retries: 3 },
          secrets: [{ ...secret, entry: "a", hosts: ["code.example"], wholeWordsOnly: false }],
        },
        {
          label: "b",
          isDefault: true,
          values: { base_url: "https://b.example", retries: 0 },
          secrets: [{ ...secret, entry: "b", hosts: ["b.example"] }],
        },
      ],
    },
  ]);
});

test("a tool that needs no services asks for none", async () => {
  const { asked, open } = opening({});
  expect(await open([])).toEqual([]);
  expect(asked).toEqual([]);
});

test("a value that was sealed for another place opens nothing of the service", async () => {
  const { open } = opening({ entries: [entry("a"), entry("b", "a")] });
  await expect(open(["weather"])).rejects.toThrow("vault.unreadable");
});
