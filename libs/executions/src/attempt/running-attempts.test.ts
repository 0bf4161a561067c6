import { expect, test, vi } from "vitest";
import { RunningAttempts } from "./running-attempts.ts";

const attempt = (n: number) => ({ tenantId: "ten_1", executionId: "exe_1", attempt: n });

test("a stop reaches only the attempt that it names", () => {
  const running = new RunningAttempts();
  const stop = vi.fn();
  running.hold(attempt(2), stop);
  running.stop("exe_1", 1, "superseded");
  expect(stop).not.toHaveBeenCalled();
  running.stop("exe_1", 2, "superseded");
  expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
});

test("letting go of an older attempt keeps the newer one", () => {
  const running = new RunningAttempts();
  const letGoOfFirst = running.hold(attempt(1), vi.fn());
  running.hold(attempt(2), vi.fn());
  letGoOfFirst();
  expect(running.list()).toEqual([attempt(2)]);
});

test("an attempt that was taken is not taken again before it is given back", () => {
  const running = new RunningAttempts();
  const giveBack = running.take(attempt(1));
  expect(running.take(attempt(1))).toBeNull();
  expect(running.take(attempt(2))).not.toBeNull();
  giveBack?.();
  expect(running.take(attempt(1))).not.toBeNull();
});

test("what is not claimed yet is stopped like any other, but has no lease to renew", () => {
  const running = new RunningAttempts();
  const stop = vi.fn();
  running.hold(attempt(1), stop, attempt(1), null);
  expect(running.list()).toEqual([]);
  expect(running.unconfirmedMs(attempt(1))).toBe(Number.POSITIVE_INFINITY);
  running.stop("exe_1", 1, "superseded");
  expect(stop).toHaveBeenCalledOnce();
  running.confirm("exe_1", 1, performance.now());
  expect(running.list()).toEqual([attempt(1)]);
});

test("attempts of one execution that run here side by side are told apart", () => {
  const running = new RunningAttempts();
  const stops = [vi.fn(), vi.fn()] as const;
  const letGo = running.hold(attempt(2), stops[1]);
  const letGoOfFirst = running.hold(attempt(1), stops[0], attempt(1), null);
  running.stop("exe_1", 1, "superseded");
  letGoOfFirst();
  expect(running.list()).toEqual([attempt(2)]);
  running.stop("exe_1", 2, "shutdown");
  expect(stops.map((stop) => stop.mock.calls)).toEqual([[["superseded"]], [["shutdown"]]]);
  letGo();
  expect(running.size).toBe(0);
});
