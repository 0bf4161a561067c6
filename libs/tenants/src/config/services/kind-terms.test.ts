import { KIND_FIELDS, type StoredService } from "@bulkhead/core";
import { expect, test } from "vitest";
import { createEntry } from "../entries/create-entry.ts";
import { ConfigWorld, OWNER, sampleService } from "../fixtures/config-world.ts";
import { updateService } from "./change-service.ts";
import { fieldsOf, requireOwnTerms } from "./kind-terms.ts";

const worldOf = (fields: Partial<StoredService>) => new ConfigWorld(sampleService(fields));

test.each([
  ["configSchema", { configSchema: [] }],
  ["multiEntry", { multiEntry: true }],
  ["allowedHosts", { allowedHosts: ["a.example"] }],
  ["delivery", { delivery: "reveal" }],
  ["exchangeInBody", { exchangeInBody: true }],
] as const)("%s is an API's alone", (path, terms) => {
  const wanted = {
    code: "request.invalid",
    errors: [{ path, message: expect.stringContaining("postgres") }],
  };
  expect(() => requireOwnTerms("postgres", { ...terms, configSchema: undefined, ...terms } as never)).toThrow(
    expect.objectContaining(wanted),
  );
  requireOwnTerms("api", terms as never);
});

test("the fields of a kind are the platform's", () => {
  expect(fieldsOf("smtp", undefined).configSchema).toEqual(KIND_FIELDS.smtp);
  expect(fieldsOf("api", undefined).configSchema.map(({ name }) => name)).toEqual(["api_key", "base_url"]);
});

test("a service without entries may become of another kind, and loses what only an API has", async () => {
  const world = worldOf({ delivery: "reveal", exchangeInBody: true, multiEntry: true, allowedHosts: [] });
  await updateService(world.deps, OWNER, "weather", { kind: "postgres" });
  expect(world.service).toMatchObject({
    kind: "postgres",
    configSchema: KIND_FIELDS.postgres,
    delivery: "placeholder",
    exchangeInBody: false,
    multiEntry: false,
    allowedHosts: null,
  });
  await updateService(world.deps, OWNER, "weather", { kind: "api" });
  expect(world.service).toMatchObject({
    kind: "api",
    configSchema: [{ name: "api_key" }, { name: "base_url" }],
  });
});

test("one with entries stays of its kind, and an entry is looked at by its kind", async () => {
  const world = worldOf({ kind: "slack", configSchema: [...KIND_FIELDS.slack] });
  const entry = { isDefault: true, allowWeak: false };
  await createEntry(world.deps, OWNER, "weather", {
    ...entry,
    data: { url: "https://hooks.example/0123456789" },
  });
  await expect(updateService(world.deps, OWNER, "weather", { kind: "discord" })).rejects.toMatchObject({
    code: "config_service.in_use",
    errors: [{ path: "kind" }],
  });
  const mailbox = worldOf({ kind: "smtp", configSchema: [...KIND_FIELDS.smtp] });
  const data = { host: "mail.example.com", port: 0, from: "nobody", recipients: "all of them" };
  await expect(createEntry(mailbox.deps, OWNER, "weather", { ...entry, data })).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "data.port" }, { path: "data.from" }, { path: "data.recipients" }],
  });
});
