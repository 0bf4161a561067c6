import { describe, expect, test } from "vitest";
import { deleteEntry, updateEntry } from "../entries/change-entry.ts";
import { createEntry } from "../entries/create-entry.ts";
import { ConfigWorld, OWNER, sampleService } from "../fixtures/config-world.ts";
import { updateService } from "./change-service.ts";
import { serviceTag } from "./service-state.ts";

const WRITERS = 20;
const fill = (world: ConfigWorld, label: string, seen: string[] | null = null) =>
  createEntry(
    world.deps,
    OWNER,
    "weather",
    { label, data: { api_key: "sk_live_0123456789abcd" }, isDefault: false, allowWeak: false },
    seen,
  );
const filled = async (label: string) => {
  const world = new ConfigWorld(sampleService({ multiEntry: true }));
  await fill(world, label);
  return world;
};

describe("a service made under the name of one that was deleted between two tries is left alone", () => {
  test.each([
    ["a change", (world: ConfigWorld) => updateService(world.deps, OWNER, "weather", { category: "c" })],
    ["a new entry", (world: ConfigWorld) => fill(world, "second")],
    [
      "a change of an entry",
      (world: ConfigWorld) =>
        updateEntry(world.deps, OWNER, "weather", "main", { label: "renamed", allowWeak: false }),
    ],
    ["the end of an entry", (world: ConfigWorld) => deleteEntry(world.deps, OWNER, "weather", "main")],
  ])("by %s", async (_, change) => {
    const world = await filled("main");
    const made = { ...world.service!, createdAt: new Date("2026-05-06T07:08:09Z"), revision: 7 };
    world.comesBetween = () => {
      world.service = made;
    };
    await expect(change(world)).rejects.toMatchObject({ code: "config_service.not_found" });
    expect(world.service).toEqual(made);
  });
});

test("entries that are made at the same moment are all made, each at its first try", async () => {
  const world = new ConfigWorld(sampleService({ multiEntry: true }));
  let looks = 0;
  world.comesBetween = () => {
    looks += 1;
  };
  const labels = Array.from({ length: WRITERS }, (_, n) => `l${n}`);
  await Promise.all(labels.map((label) => fill(world, label)));
  expect(world.service?.entries.map(({ label }) => label)).toEqual(labels);
  // Each looked when it came, and again once its turn had come.
  expect(looks).toBe(2 * WRITERS - 1);
});

test("of those who saw the same state and write at the same moment the first is heard", async () => {
  const world = await filled("main");
  const seen = [serviceTag(world.service!)];
  const answers = await Promise.allSettled(["a", "b", "c"].map((label) => fill(world, label, seen)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(answers[2]).toMatchObject({ reason: { code: "config_service.precondition_failed" } });
});
