import { type Schedule, Fault } from "@bulkhead/core";
import { beforeEach, describe, expect, test } from "vitest";
import { fireReleased, fireSchedule } from "./fire-schedule.ts";
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

test("a tool that the policy keeps from the schedule's agent is refused at each run, until it is let to it", async () => {
  const schedule = world.add({ context: { agentId: "alpha" } });
  const persons = world.add();
  world.policy = {
    version: 1,
    document: { agents: { alpha: { deny: [schedule.toolName] } } },
    mcpVersion: 0,
    mcp: {},
  };
  world.now = plannedOf(schedule);
  expect([await fire(schedule), await fire(persons)]).toEqual(["refused", "ran"]);
  const refused = world.read(schedule);
  expect(refused).toMatchObject({ status: "active", lastError: { code: "tool.not_found" } });
  world.policy = { version: 2, document: {}, mcpVersion: 0, mcp: {} };
  world.now = plannedOf(refused);
  expect(await fire(refused)).toBe("ran");
});

test("nothing of a tenant that is being deleted is run", async () => {
  const schedule = world.add();
  world.now = plannedOf(schedule);
  const find = async (tenantId: string) => {
    const tenant = await world.deps.tenants.find(tenantId);
    return tenant && { ...tenant, deletingAt: world.now };
  };
  const deps = { ...world.deps, tenants: { find } };
  expect(await fireSchedule(deps, { ...schedule, plannedAt: world.now })).toBe("refused");
  expect([world.submissions, world.read(schedule).lastError?.code]).toEqual([0, "tenant.not_found"]);
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

describe("while an earlier run has not ended", () => {
  /** Fires the next planned run of the schedule, as it is by then. */
  const tick = (schedule: Schedule) => {
    const now = world.read(schedule);
    world.now = plannedOf(now);
    return fire(now);
  };
  const runOf = (schedule: Schedule, planned: Date) =>
    `exe of schedule/${schedule.scheduleId}/${planned.getTime()}`;

  test("allow runs beside it", async () => {
    const schedule = world.add({ overlap: "allow" });
    expect([await tick(schedule), await tick(schedule)]).toEqual(["ran", "ran"]);
    expect(world.open.size).toBe(2);
  });

  test("skip leaves the planned run out, and the schedule counts it", async () => {
    const schedule = world.add({ overlap: "skip" });
    expect(await tick(schedule)).toBe("ran");
    expect([await tick(schedule), await tick(schedule)]).toEqual(["skipped", "skipped"]);
    expect(world.read(schedule)).toMatchObject({ skippedRuns: 2, lastSkippedAt: world.now });
    world.open.clear();
    expect(await tick(schedule)).toBe("ran");
    expect(world.accepted.size).toBe(2);
  });

  test("a run keeps nobody from itself: a repeat after a crash is the run, and no skipped one", async () => {
    const schedule = world.add({ overlap: "skip" });
    await tick(schedule);
    world.schedules.set(schedule.scheduleId, schedule);
    expect(await fire(schedule)).toBe("ran");
    expect(world.read(schedule)).toMatchObject({ skippedRuns: 0, lastExecutionId: [...world.open][0] });
    expect(world.accepted.size).toBe(1);
  });

  test("queue_one runs once when it has ended, and leaves out what comes meanwhile", async () => {
    const schedule = world.add({ overlap: "queue_one" });
    await tick(schedule);
    expect([await tick(schedule), await tick(schedule)]).toEqual(["waits", "skipped"]);
    const { waitingSince } = world.read(schedule);
    expect(await fireReleased(world.deps)).toBe(0);
    world.open.clear();
    expect(await fireReleased(world.deps)).toBe(1);
    expect([...world.open]).toEqual([runOf(schedule, waitingSince ?? new Date(0))]);
    expect(world.read(schedule)).toMatchObject({ waitingSince: null, skippedRuns: 1 });
    expect(await fireReleased(world.deps)).toBe(0);
  });

  test("queue_one: what waits comes before what is planned for later", async () => {
    const schedule = world.add({ overlap: "queue_one" });
    await tick(schedule);
    await tick(schedule);
    const waited = world.now;
    world.open.clear();
    expect(await tick(schedule)).toBe("waits");
    expect([...world.open]).toEqual([runOf(schedule, waited)]);
    expect(world.read(schedule).waitingSince).toEqual(world.now);
  });

  test("queue_one: nothing goes past what waits, where the run before it ends this moment", async () => {
    const schedule = world.add({ overlap: "queue_one" });
    await tick(schedule);
    await tick(schedule);
    const { openRuns } = world.deps.schedules;
    let looks = 0;
    world.deps.schedules.openRuns = async (key) => {
      const open = await openRuns(key);
      if ((looks += 1) === 1) world.open.clear();
      return open;
    };
    const before = world.submissions;
    expect(await tick(schedule)).toBe("skipped");
    expect([looks, world.submissions]).toEqual([2, before]);
    expect(await fireReleased(world.deps)).toBe(1);
  });

  test("a waiting run that can't be made is told, and waits no more; one that a store keeps from it waits on", async () => {
    const schedule = world.add({ overlap: "queue_one" });
    await tick(schedule);
    await tick(schedule);
    world.open.clear();
    world.submissionFault = new Fault("service.unavailable");
    await fireReleased(world.deps);
    expect(world.reported).toHaveLength(1);
    expect(world.read(schedule).waitingSince).not.toBeNull();
    world.submissionFault = new Fault("tool.not_active");
    await fireReleased(world.deps);
    expect(world.read(schedule)).toMatchObject({
      waitingSince: null,
      lastError: { code: "tool.not_active" },
    });
  });

  test("cancel_previous cancels it and runs", async () => {
    const schedule = world.add({ overlap: "cancel_previous" });
    await tick(schedule);
    const [first] = world.open;
    expect(await tick(schedule)).toBe("ran");
    expect(world.cancelled).toEqual([first]);
    expect([...world.open]).toEqual([runOf(schedule, world.now)]);
  });
});

describe("a run that can't be", () => {
  const cases: [string, () => void][] = [
    ["tool.not_active", () => (world.submissionFault = new Fault("tool.not_active", { detail: "Off." }))],
    ["tool.arguments_invalid", () => (world.submissionFault = new Fault("tool.arguments_invalid"))],
    ["tenant.backlog_full", () => (world.submissionFault = new Fault("tenant.backlog_full"))],
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
    world.now = plannedOf(refused);
    expect(await fire(refused)).toBe("ran");
    expect(world.read(schedule).lastError).toBeNull();
  });

  test("since its tool is gone pauses the schedule, which says why", async () => {
    const schedule = world.add();
    world.now = plannedOf(schedule);
    world.tool = null;
    expect(await fire(schedule)).toBe("refused");
    expect(world.read(schedule)).toMatchObject({
      status: "paused",
      statusReason: "Its tool was deleted.",
      lastError: { code: "tool.not_found" },
      nextRuns: [],
    });
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
