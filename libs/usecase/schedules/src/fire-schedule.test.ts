import type { Schedule } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { beforeEach, describe, expect, test } from "vitest";
import { fireSchedule } from "./fire-schedule.ts";
import { ScheduleWorld } from "./fixtures/schedule-world.ts";

const HOUR = 3_600_000;
let world: ScheduleWorld;
beforeEach(() => {
  world = new ScheduleWorld();
});

const plannedOf = (schedule: Schedule): Date => schedule.nextRuns[0] ?? new Date(0);
const fire = (schedule: Schedule, plannedAt = plannedOf(schedule)) =>
  fireSchedule(world.deps, { ...schedule, plannedAt });

test("a planned time makes one execution, however many triggers come and workers race", async () => {
  const schedule = world.add({ arguments: { n: 1 } });
  world.now = plannedOf(schedule);
  await Promise.all([fire(schedule), fire(schedule), fire(schedule)]);
  await fire(schedule);
  const key = `schedule/${schedule.scheduleId}/${plannedOf(schedule).getTime()}`;
  expect([...world.accepted.keys()]).toEqual([key]);
  expect(world.accepted.get(key)).toMatchObject({ scheduleId: schedule.scheduleId, arguments: { n: 1 } });
  const settled = world.read(schedule);
  expect(settled).toMatchObject({ lastRunAt: world.now, lastExecutionId: `exe of ${key}` });
  expect(plannedOf(settled)).toEqual(world.later(HOUR));
});

describe("a trigger before its time", () => {
  test("is believed when its clock is a little ahead", async () => {
    const schedule = world.add();
    world.now = new Date(plannedOf(schedule).getTime() - 2_000);
    expect(await fire(schedule)).toBe("ran");
    expect(plannedOf(world.read(schedule)).getTime()).toBe(plannedOf(schedule).getTime() + HOUR);
  });

  test("runs nothing when it is far ahead, or another plan's", async () => {
    const schedule = world.add();
    expect(await fire(schedule)).toBe("not_due");
    expect(await fire(schedule, world.later(1_000))).toBe("not_due");
    expect(world.submissions).toBe(0);
  });
});

test("nothing comes of a trigger whose schedule is paused or gone", async () => {
  const paused = world.add({ status: "paused", nextRuns: [] });
  expect(await fire(paused, world.now)).toBe("not_due");
  world.schedules.clear();
  expect(await fire(paused, world.now)).toBe("not_due");
});

describe("after a time in which nothing ran", () => {
  test.each([
    ["skip", "passed_over", 0],
    ["once", "ran", 1],
  ] as const)(
    "%s: %s, and the plan goes on with the first time behind now",
    async (missedRuns, outcome, runs) => {
      const schedule = world.add({ missedRuns });
      world.now = world.later(5.5 * HOUR);
      expect(await fire(schedule)).toBe(outcome);
      expect(world.accepted.size).toBe(runs);
      expect(plannedOf(world.read(schedule))).toEqual(world.later(0.5 * HOUR));
    },
  );

  test("a run that is late by less than a minute runs all the same", async () => {
    const schedule = world.add();
    world.now = new Date(plannedOf(schedule).getTime() + 59_000);
    expect(await fire(schedule)).toBe("ran");
  });
});

describe("a run that can't be", () => {
  const cases: [string, () => void][] = [
    ["tool.not_active", () => (world.submissionFault = new Fault("tool.not_active", { detail: "Off." }))],
    ["tool.arguments_invalid", () => (world.submissionFault = new Fault("tool.arguments_invalid"))],
    ["tenant.backlog_full", () => (world.submissionFault = new Fault("tenant.backlog_full"))],
    ["tool.not_found", () => (world.tool = null)],
  ];
  test.each(cases)("for %s is told by the schedule, and the next one comes", async (code, breakIt) => {
    const schedule = world.add();
    world.now = plannedOf(schedule);
    breakIt();
    expect(await fire(schedule)).toBe("refused");
    const refused = world.read(schedule);
    expect(refused).toMatchObject({ lastError: { code, at: world.now }, lastRunAt: null });
    expect(plannedOf(refused)).toEqual(world.later(HOUR));

    world.submissionFault = undefined;
    world.tool = { id: schedule.toolId, name: "tick" } as NonNullable<typeof world.tool>;
    world.now = plannedOf(refused);
    expect(await fire(refused)).toBe("ran");
    expect(world.read(schedule).lastError).toBeNull();
  });

  test("because a store is away stays due, and runs under the same key later", async () => {
    const schedule = world.add();
    world.now = plannedOf(schedule);
    world.submissionFault = new Fault("service.unavailable");
    await expect(fire(schedule)).rejects.toMatchObject({ code: "service.unavailable" });
    expect(world.read(schedule)).toEqual(schedule);
    world.submissionFault = undefined;
    world.now = world.later(30_000);
    expect(await fire(schedule)).toBe("ran");
    expect(world.accepted.has(`schedule/${schedule.scheduleId}/${plannedOf(schedule).getTime()}`)).toBe(true);
  });
});
