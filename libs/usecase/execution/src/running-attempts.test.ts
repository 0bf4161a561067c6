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
