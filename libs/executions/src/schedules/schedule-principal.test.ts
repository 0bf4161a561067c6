import type { Schedule } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { fireSchedule } from "./fire-schedule.ts";
import { ScheduleWorld } from "./fixtures/schedule-world.ts";

let world: ScheduleWorld;
beforeEach(() => {
  world = new ScheduleWorld();
});

/** Fires what is planned next. */
async function fire(schedule: Schedule) {
  const [plannedAt = new Date(0)] = world.read(schedule).nextRuns;
  world.now = plannedAt;
  return fireSchedule(world.deps, { ...schedule, plannedAt });
}
const MADE_BY_RUN = { madeByTool: "tool_0000000000000009", context: { agentId: "one", userId: "ann" } };

test("what an agent's run made is called as that agent's key, and what a person made as a developer's", async () => {
  expect(await fire(world.add(MADE_BY_RUN))).toBe("ran");
  expect(await fire(world.add())).toBe("ran");
  const keyId = "key_0000000000000001";
  expect(world.principals).toMatchObject([
    { role: "agent", agentId: "one", keyId },
    { role: "developer", agentId: null, keyId },
  ]);
});

test("what a run made by a person's key is called as that key, and by no more", async () => {
  world.key = { role: "owner", agentId: null, expiresAt: null };
  await fire(world.add(MADE_BY_RUN));
  expect(world.principals).toMatchObject([{ role: "owner", agentId: null }]);
});

test.each([
  ["is gone", null],
  ["has expired", new Date("2026-01-01T00:30:00Z")],
])(
  "a run's schedule whose key %s is paused with the reason, and a person's goes on",
  async (_, expiresAt) => {
    world.key = expiresAt && { role: "agent", agentId: "one", expiresAt };
    const ofRun = world.add(MADE_BY_RUN);
    const ofPerson = world.add();
    expect([await fire(ofRun), await fire(ofPerson)]).toEqual(["refused", "ran"]);
    expect(world.read(ofRun)).toMatchObject({
      status: "paused",
      statusReason: "The API key whose call made it is gone or has expired.",
      lastError: { code: "schedule.key_gone" },
      nextRuns: [],
    });
    expect(world.principals).toMatchObject([{ role: "developer" }]);
  },
);
