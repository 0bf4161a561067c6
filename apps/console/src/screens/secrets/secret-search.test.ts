import type { ConfigServiceSummary } from "@bulkhead/client";
import { expect, test } from "vitest";
import { matching, readSecretSearch, readServiceSearch } from "./secret-search.ts";

const service = (name: string, configured: boolean, more: Partial<ConfigServiceSummary> = {}) =>
  ({ name, configured, ...more }) as ConfigServiceSummary;

const SERVICES = [
  service("stripe", true, { category: "Payments" }),
  service("mailer", false, { displayName: "Mail service", description: "Sends invoices." }),
];
const found = (search: Parameters<typeof matching>[1]): string[] =>
  matching(SERVICES, search).map(({ name }) => name);

test("services are found by words of any of their texts, and by how they stand", () => {
  expect(found({})).toEqual(["stripe", "mailer"]);
  expect(found({ q: "PAY" })).toEqual(["stripe"]);
  expect(found({ q: "invoices mail" })).toEqual(["mailer"]);
  expect(found({ state: "missing" })).toEqual(["mailer"]);
  expect(found({ state: "configured", q: "mail" })).toEqual([]);
});

test("an address says what it may, and no more", () => {
  expect(readSecretSearch({ tab: "rules", q: 12, state: "other", missing: "stripe", more: 1 })).toEqual({
    tab: "rules",
    q: "12",
    missing: "stripe",
  });
  expect(readServiceSearch({ fill: "yes" })).toEqual({});
  expect(readServiceSearch({ fill: true })).toEqual({ fill: true });
});
