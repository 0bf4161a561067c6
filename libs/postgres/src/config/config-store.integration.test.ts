import {
  DEFAULT_CONFIG_SCHEMA,
  KIND_FIELDS,
  type NewConfigService,
  type ServiceState,
  type StoredEntry,
} from "@bulkhead/core";
import { beforeEach, describe, expect, test } from "vitest";
import { sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

let tenantId: string;
let otherId: string;

beforeEach(async () => {
  tenantId = (await database.tenants.create(sampleTenant())).id;
  otherId = (await database.tenants.create(sampleTenant())).id;
});

const MAX = 10;
const at = new Date("2026-01-02T03:04:05.678Z");

const sampleService = (name: string, fields: Partial<NewConfigService> = {}): NewConfigService => ({
  tenantId,
  name,
  kind: "api",
  displayName: "Weather",
  description: null,
  category: "data",
  docsUrl: null,
  multiEntry: true,
  configSchema: [...DEFAULT_CONFIG_SCHEMA],
  allowedHosts: null,
  codeHosts: [],
  delivery: "placeholder",
  exchangeInBody: false,
  registeredBy: null,
  kept: true,
  createdAt: at,
  ...fields,
});

const sampleEntry = (label: string, sealed = "v1.sealed"): StoredEntry => ({
  label,
  values: { base_url: "https://api.example.com", retries: 3, on: true },
  secrets: {
    api_key: { sealed, setAt: at, setBy: "key_1", lastFour: "wxyz", wholeWordsOnly: false },
  },
  createdAt: at,
  updatedAt: at,
});

const put = (state: ServiceState, entry: StoredEntry, was: string | null = null) =>
  database.configServices.putEntry(state, entry, { was, defaultLabel: entry.label });
const find = async (name: string) => (await database.configServices.find(tenantId, [name]))[0];

describe("services and entries", () => {
  test("a service is found as it was made, where none names hosts apart from a list of none", async () => {
    const made = await database.configServices.create(
      sampleService("weather", { allowedHosts: [], codeHosts: ["a.example"] }),
      MAX,
    );
    expect(made).toEqual({
      ...sampleService("weather", { allowedHosts: [], codeHosts: ["a.example"] }),
      defaultLabel: null,
      updatedAt: at,
      entries: [],
      revision: 1,
    });
    await database.configServices.create(sampleService("mail"), MAX);
    expect(await database.configServices.find(tenantId, ["weather", "nothing"])).toEqual([made]);
    expect((await find("mail"))?.allowedHosts).toBeNull();
    expect(await database.configServices.find(otherId, ["weather"])).toEqual([]);
  });

  test("a name is taken once in a tenant, and a tenant has no more than it may", async () => {
    await database.configServices.create(sampleService("one"), 2);
    await expect(database.configServices.create(sampleService("one"), 2)).rejects.toMatchObject({
      code: "config_service.name_taken",
    });
    expect(await database.configServices.create(sampleService("two"), 2)).not.toBeNull();
    expect(await database.configServices.create(sampleService("three"), 2)).toBeNull();
    expect(
      await database.configServices.create(sampleService("one", { tenantId: otherId }), 2),
    ).not.toBeNull();
  });

  test("entries come oldest first as they were put, and raise the revision of their service", async () => {
    await database.configServices.create(sampleService("weather"), MAX);
    const state = { tenantId, name: "weather", revision: 1 };
    const later = { ...sampleEntry("b"), createdAt: new Date(at.getTime() + 1) };
    expect(await put(state, later)).toBe(true);
    expect(await put({ ...state, revision: 2 }, sampleEntry("z"))).toBe(true);
    expect(await find("weather")).toMatchObject({
      revision: 3,
      defaultLabel: "z",
      entries: [sampleEntry("z"), later],
    });
  });

  test("what was made for another state is not made at all", async () => {
    await database.configServices.create(sampleService("weather"), MAX);
    const state = { tenantId, name: "weather", revision: 1 };
    const tries = await Promise.all([put(state, sampleEntry("a")), put(state, sampleEntry("b"))]);
    expect(tries.toSorted()).toEqual([false, true]);
    expect((await find("weather"))?.entries).toHaveLength(1);
    const { entries: _, revision: __, ...terms } = (await find("weather"))!;
    expect(await database.configServices.change(state, terms, at)).toBe(false);
    expect(await database.configServices.dropEntry(state, "a", null, at)).toBe(false);
    expect(await database.configServices.delete(state)).toBe(false);
    const elsewhere = { ...state, tenantId: otherId, revision: 2 };
    expect(await put(elsewhere, sampleEntry("c"))).toBe(false);
    expect(await database.configServices.delete(elsewhere)).toBe(false);
  });

  test("an entry takes another's place under another label, is dropped, and goes with its service", async () => {
    await database.configServices.create(sampleService("weather"), MAX);
    const state = (revision: number) => ({ tenantId, name: "weather", revision });
    await put(state(1), sampleEntry("a"));
    expect(await put(state(2), sampleEntry("b", "v1.other"), "a")).toBe(true);
    expect((await find("weather"))?.entries).toEqual([sampleEntry("b", "v1.other")]);
    expect(await database.configServices.dropEntry(state(3), "b", null, at)).toBe(true);
    expect(await find("weather")).toMatchObject({ entries: [], defaultLabel: null, revision: 4 });
    await put(state(4), sampleEntry("c"));
    expect(await database.configServices.delete(state(5))).toBe(true);
    await database.configServices.create(sampleService("weather"), MAX);
    expect((await find("weather"))?.entries).toEqual([]);
  });

  test("outlines tell what is filled in and no value, page by page in the order of names", async () => {
    for (const name of ["c", "a", "b"]) await database.configServices.create(sampleService(name), MAX);
    await put({ tenantId, name: "b", revision: 1 }, sampleEntry("main"));
    const [a, b] = await database.configServices.page(tenantId, { limit: 2 });
    expect(a).toMatchObject({ name: "a", entries: [] });
    const filled = ["base_url", "retries", "on", "api_key"];
    expect(b).toMatchObject({ name: "b", entries: [{ label: "main", filled }] });
    expect(JSON.stringify(b)).not.toMatch(/sealed|example\.com|wxyz/);
    const rest = await database.configServices.page(tenantId, { after: "b", limit: 2 });
    expect(rest.map(({ name }) => name)).toEqual(["c"]);
    expect(await database.configServices.outlines(tenantId, ["b"])).toEqual([b]);
    await database.configServices.create(sampleService("db", { kind: "postgres" }), MAX);
    expect(await database.configServices.outlinesOf(tenantId, ["postgres", "smtp"])).toMatchObject([
      { name: "db" },
    ]);
  });
});

test("a service of a kind has the fields that this build gives the kind, whatever its row says", async () => {
  await database.configServices.create(sampleService("shop", { kind: "postgres" }), MAX);
  expect(await find("shop")).toMatchObject({ kind: "postgres", configSchema: KIND_FIELDS.postgres });
  const state = { tenantId, name: "shop", revision: 1 };
  const { entries: _, revision: __, ...terms } = (await find("shop"))!;
  expect(await database.configServices.change(state, { ...terms, kind: "slack" }, at)).toBe(true);
  expect(await find("shop")).toMatchObject({ kind: "slack", configSchema: KIND_FIELDS.slack });
});

describe("what tools need", () => {
  const registered = (name: string) => sampleService(name, { registeredBy: "tool_1", kept: false });

  test("only what is missing is registered, and what is there stays as it is", async () => {
    await database.configServices.create(sampleService("mine"), MAX);
    const asked = [registered("mine"), { ...registered("new"), displayName: null }];
    expect(await database.configServices.register(asked, MAX)).toEqual(["new"]);
    expect(await database.configServices.register(asked, MAX)).toEqual([]);
    expect(await find("mine")).toMatchObject({ displayName: "Weather", registeredBy: null, revision: 1 });
    expect(await find("new")).toMatchObject({ registeredBy: "tool_1", kept: false });
    expect(await database.configServices.register([registered("third")], 2)).toEqual([]);
  });

  test("a service goes when no tool needs it, unless a person had a hand in it", async () => {
    const names = ["free", "filled", "needed", "waited_for"];
    await database.configServices.register(names.map(registered), MAX);
    await put({ tenantId, name: "filled", revision: 1 }, sampleEntry("a"));
    await database.tools.create(sampleTool(tenantId, { name: "reads", services: ["needed"] }));
    const waits = await database.tools.create(sampleTool(tenantId, { name: "waits" }));
    await testDatabase.execute(`
      INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, services, created_at)
      VALUES ('${waits.id}', 2, '', '{}', '{}', '{}', '{waited_for}', now());
      UPDATE tools SET pending_version = 2, revision = revision + 1 WHERE id = '${waits.id}'`);
    expect(await database.configServices.release(otherId, names)).toEqual([]);
    expect(await database.configServices.release(tenantId, names)).toEqual(["free"]);
    expect(await database.configServices.toolsThatNeed(tenantId, "needed", 5)).toEqual(["reads"]);
    expect(await database.configServices.toolsThatNeed(otherId, "needed", 5)).toEqual([]);
    await database.tools.create(sampleTool(tenantId, { name: "also", services: ["needed", "filled"] }));
    const each = (id: string) => database.configServices.toolsThatNeedEach(id, ["needed", "waited_for"], 1);
    expect(await each(tenantId)).toEqual(
      new Map([
        ["needed", { count: 2, names: ["also"] }],
        ["waited_for", { count: 1, names: ["waits"] }],
      ]),
    );
    expect((await each(otherId)).size).toBe(0);
  });

  test("a service that its tool has left is another's that needs it, a person's first, and only once", async () => {
    const configServices = database.configServices;
    const create = (name: string, createdBy: "llm" | "user", services: string[]) =>
      database.tools.create(sampleTool(tenantId, { name, createdBy, services }));
    const model = await create("of_a_model", "llm", ["left", "own", "kept"]);
    const person = await create("of_a_person", "user", ["left", "kept"]);
    const of = (name: string, registeredBy: string) => ({ ...registered(name), registeredBy });
    await configServices.register([of("left", "tool_1"), of("kept", "tool_1"), of("own", model.id)], MAX);
    await put({ tenantId, name: "kept", revision: 1 }, sampleEntry("a"));
    const names = ["left", "own", "kept"];
    expect(await configServices.heirs(otherId, names)).toEqual([]);
    const [heir, ...others] = await configServices.heirs(tenantId, names);
    expect(others).toEqual([]);
    expect(heir).toMatchObject({
      registeredBy: "tool_1",
      needs: { id: person.id, createdBy: "user", services: ["left"], code: person.code },
    });
    const anew = {
      ...of("left", person.id),
      displayName: "Anew",
      codeHosts: ["b.example"],
      configSchema: [],
    };
    expect(await configServices.inherit(of("kept", person.id), "tool_1")).toBe(false);
    expect(await configServices.inherit(anew, "tool_1")).toBe(true);
    expect(await configServices.inherit(anew, "tool_1")).toBe(false);
    expect(await find("left")).toMatchObject({
      displayName: "Anew",
      codeHosts: ["b.example"],
      configSchema: [],
      registeredBy: person.id,
      kept: false,
      revision: 2,
    });
    expect(await configServices.heirs(tenantId, names)).toEqual([]);
  });
});
