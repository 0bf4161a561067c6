import { Fault, type FaultCode } from "@bulkhead/core";
import { beforeEach, expect, test, vi } from "vitest";
import { CHANGE_TRIES_MAX, repeatLostChange } from "./repeat-lost-change.ts";

beforeEach(() => {
  // The test is about the number of tries, so pauses are 0.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

/** Throws so often, and counts how often it was done. */
function workThat(code: FaultCode, losses: number) {
  const work = vi.fn(() =>
    work.mock.calls.length <= losses ? Promise.reject(new Fault(code)) : Promise.resolve("made"),
  );
  return work;
}

test.each(["tool.changed", "config_service.changed"] as const)(
  "%s: all is done again until it is made",
  async (code) => {
    const work = workThat(code, CHANGE_TRIES_MAX - 1);
    expect(await repeatLostChange(work)).toBe("made");
    expect(work).toHaveBeenCalledTimes(CHANGE_TRIES_MAX);
  },
);

test("what loses every time is refused, and may be sent again", async () => {
  const work = workThat("tool.changed", Infinity);
  await expect(repeatLostChange(work)).rejects.toMatchObject({
    code: "tool.changed",
    retryable: true,
    retryAfterSeconds: 1,
  });
  expect(work).toHaveBeenCalledTimes(CHANGE_TRIES_MAX);
});

test.each(["tool.precondition_failed", "config_service.precondition_failed", "tool.name_taken"] as const)(
  "%s is said after one look",
  async (code) => {
    const work = workThat(code, 1);
    await expect(repeatLostChange(work)).rejects.toMatchObject({ code, retryAfterSeconds: undefined });
    expect(work).toHaveBeenCalledTimes(1);
  },
);

test("the pauses grow, are of random length, and take 3 s together at most", async () => {
  vi.mocked(Math.random).mockReturnValue(1);
  vi.useFakeTimers();
  const wait = vi.spyOn(globalThis, "setTimeout");
  const refused = expect(repeatLostChange(workThat("tool.changed", Infinity))).rejects.toThrow(Fault);
  await vi.runAllTimersAsync();
  await refused;
  const pauses = wait.mock.calls.map(([, pauseMs]) => pauseMs ?? 0);
  expect(pauses).toHaveLength(CHANGE_TRIES_MAX - 1);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBeLessThan(3_000);
});
