import type { StoredService } from "@bulkhead/core";
import { expect, test, vi } from "vitest";
import { ConfigWorld, openFor, OWNER, placeOf, sampleService } from "../fixtures/config-world.ts";
import { serviceTag } from "../services/service-state.ts";
import { deleteEntry, updateEntry } from "./change-entry.ts";
import { createEntry } from "./create-entry.ts";

const SECRET = "sk_live_0123456789abcd";
const OTHER = "sk_live_another_secret";
const weak = { allowWeak: false };

const filled = async (...labels: string[]) => {
  const world = new ConfigWorld(sampleService({ multiEntry: true }));
  for (const label of labels) {
    const request = { label, data: { api_key: SECRET }, isDefault: false, ...weak };
    await createEntry(world.deps, OWNER, "weather", request);
  }
  return world;
};
/** Somebody else makes this of the service, between the first look and what is stored for it. */
const onceRead = (world: ConfigWorld, change: (service: StoredService) => StoredService) => {
  world.comesBetween = (current) => {
    world.comesBetween = () => undefined;
    world.service = { ...change(current), revision: current.revision + 1 };
  };
};
const sealedIn = (world: ConfigWorld, label: string) =>
  world.service?.entries.find((entry) => entry.label === label)?.secrets["api_key"]?.sealed ?? "";

test("a secret is sealed for its service, entry and field, and opens nowhere else", async () => {
  const world = await filled("main");
  const sealed = sealedIn(world, "main");
  expect(openFor(sealed, placeOf("weather", "main", "api_key"))).toBe(SECRET);
  expect(() => openFor(sealed, placeOf("weather", "other", "api_key"))).toThrow();
  expect(() => openFor(sealed, placeOf("mail", "main", "api_key"))).toThrow();
});

test("under another label an entry keeps its secret, sealed for its new place, and stays the default", async () => {
  const world = await filled("main", "second");
  await updateEntry(world.deps, OWNER, "weather", "main", { label: "renamed", ...weak });
  expect(openFor(sealedIn(world, "renamed"), placeOf("weather", "renamed", "api_key"))).toBe(SECRET);
  expect(world.service).toMatchObject({ defaultLabel: "renamed", revision: 4 });
});

test("a new value takes the old one's place, with who set it", async () => {
  const world = await filled("main");
  const by = { ...OWNER, keyId: "key_2" };
  const { entry } = await updateEntry(world.deps, by, "weather", "main", {
    data: { api_key: OTHER },
    ...weak,
  });
  expect(openFor(sealedIn(world, "main"), placeOf("weather", "main", "api_key"))).toBe(OTHER);
  expect(entry.secrets["api_key"]).toMatchObject({ setBy: "key_2", lastFour: "cret" });
});

test("when the default goes, the oldest one left becomes it", async () => {
  const world = await filled("a", "b", "c");
  await deleteEntry(world.deps, OWNER, "weather", "a");
  expect(world.service?.defaultLabel).toBe("b");
  await deleteEntry(world.deps, OWNER, "weather", "c");
  expect(world.service?.defaultLabel).toBe("b");
  await deleteEntry(world.deps, OWNER, "weather", "b");
  expect(world.service?.defaultLabel).toBeNull();
});

test("the answer is what is stored, and a change for another state is refused", async () => {
  const world = await filled("main");
  const before = serviceTag(world.service!);
  const { service } = await updateEntry(world.deps, OWNER, "weather", "main", { isDefault: true, ...weak });
  expect(service).toEqual(world.service);
  const again = (seen: string[] | null) => deleteEntry(world.deps, OWNER, "weather", "main", seen);
  await expect(again([before])).rejects.toMatchObject({ code: "config_service.precondition_failed" });
});

test("a change that loses every time is refused, and may be sent again", async () => {
  const pauses = vi.spyOn(Math, "random").mockReturnValue(0);
  const world = await filled("main");
  world.comesBetween = (current) => void (current.revision += 1);
  const lost = { code: "config_service.changed", retryAfterSeconds: 1 };
  await expect(deleteEntry(world.deps, OWNER, "weather", "main")).rejects.toMatchObject(lost);
  pauses.mockRestore();
});

test("a change that lost is for the service as it is by then", async () => {
  const world = await filled("main", "second");
  onceRead(world, (service) => ({ ...service, defaultLabel: "second" }));
  await deleteEntry(world.deps, OWNER, "weather", "main");
  expect(world.service).toMatchObject({ defaultLabel: "second", entries: [{ label: "second" }] });
  onceRead(world, (service) => ({ ...service, entries: [], defaultLabel: null }));
  const gone = updateEntry(world.deps, OWNER, "weather", "second", { label: "third", ...weak });
  await expect(gone).rejects.toMatchObject({ code: "config_entry.not_found" });
});

test("what is a secret is decided anew at each try: nothing is stored as plain that became one", async () => {
  const world = await filled("main");
  const [first, url] = world.service!.configSchema;
  const secret = [first!, { ...url!, type: "secret" as const }];
  onceRead(world, (service) => ({ ...service, configSchema: secret }));
  const data = { base_url: "https://hidden.example/0123" };
  await updateEntry(world.deps, OWNER, "weather", "main", { data, ...weak });
  expect(world.service?.entries).toMatchObject([{ values: {}, secrets: { base_url: {}, api_key: {} } }]);
});

test("whether there is room is decided anew at each try", async () => {
  const world = new ConfigWorld();
  const fill = (label: string) =>
    createEntry(world.deps, OWNER, "weather", {
      label,
      data: { api_key: SECRET },
      isDefault: false,
      ...weak,
    });
  const other = { label: "theirs", values: {}, secrets: {}, createdAt: new Date(0), updatedAt: new Date(0) };
  onceRead(world, (service) => ({ ...service, entries: [other] }));
  await expect(fill("mine")).rejects.toMatchObject({ code: "config_entry.too_many" });
});

test("nothing that is put down for the audit log holds a value", async () => {
  const world = await filled("main");
  const data = { base_url: "https://a.example", api_key: OTHER };
  await updateEntry(world.deps, OWNER, "weather", "main", { data, ...weak });
  expect(world.deeds.map(({ action }) => action)).toEqual(["config_entry.created", "config_entry.updated"]);
  expect(JSON.stringify(world.deeds)).not.toMatch(/sk_live|a\.example/);
});
