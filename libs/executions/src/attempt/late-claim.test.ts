import { type ClaimedExecution, type ClaimWithEnd, type ExecutionStore, Fault } from "@bulkhead/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LateClaim } from "./late-claim.ts";
import { RunningAttempts } from "./running-attempts.ts";

const ATTEMPT = { tenantId: "ten_a", executionId: "exe_1", attempt: 1 };
const WON = ATTEMPT as ClaimedExecution;
const LEASE_MS = 12_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run that began and whose claim is answered like this. */
function begun(claim: () => Promise<ClaimedExecution | null>) {
  const asked = vi.fn<ExecutionStore["claim"]>(claim);
  const stop = vi.fn();
  const report = vi.fn();
  const running = new RunningAttempts();
  running.hold(ATTEMPT, stop, ATTEMPT, null);
  const deps = { executions: { claim: asked }, running, report, workerId: "wrk_a", leaseMs: LEASE_MS };
  return { claim: new LateClaim(deps, ATTEMPT, performance.now()), asked, stop, report, running };
}
const wins = () => Promise.resolve(WON);
const loses = () => Promise.resolve(null);

test("a run that goes on is claimed once, and is held like any other from then on", async () => {
  const { claim, asked, stop, running } = begun(wins);
  expect(running.list()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all([claim.make(), claim.make()])).toEqual([true, true]);
  // It counts from when it began.
  expect(asked).toHaveBeenCalledExactlyOnceWith(ATTEMPT, "wrk_a", LEASE_MS, {
    ranMs: 100,
    mayBeMine: false,
  });
  expect(claim.isHeld).toBe(true);
  expect(claim.leaseFrom).not.toBeNull();
  expect(await claim.settled).toBe(true);
  expect(running.list()).toEqual([ATTEMPT]);
  expect(stop).not.toHaveBeenCalled();
});

test("an end that comes first carries the claim, and how long it ran", async () => {
  const { claim, asked } = begun(wins);
  await vi.advanceTimersByTimeAsync(40);
  const write = vi.fn<(claim: ClaimWithEnd | null) => Promise<string>>().mockResolvedValue("ended");
  expect(await claim.endWith(write)).toBe("ended");
  expect(write).toHaveBeenCalledExactlyOnceWith({ workerId: "wrk_a", ranMs: 40 });
  await vi.advanceTimersByTimeAsync(1_000);
  // Written again, it ran as long before that.
  expect(write.mock.calls[0]?.[0]?.ranMs).toBe(1_040);
  expect(asked).not.toHaveBeenCalled();
  expect(claim.isHeld).toBe(true);
});

test("while an end is written no claim is asked for, and what asks for one hears what became of the end", async () => {
  const { claim, asked } = begun(wins);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const written = claim.endWith(() => promise);
  await vi.advanceTimersByTimeAsync(1_000);
  const made = claim.make();
  resolve(null);
  expect([await written, await made]).toEqual([null, false]);
  expect(asked).not.toHaveBeenCalled();
  expect(claim.isRefused).toBe(true);
});

test("an end whose write fails rejects with that, and nothing is held", async () => {
  const { claim } = begun(wins);
  const away = new Error("away");
  await expect(claim.endWith(() => Promise.reject(away))).rejects.toBe(away);
  expect(await claim.make()).toBe(false);
});

test("an end waits for a claim that is under way, and is written by who has it", async () => {
  const { promise, resolve } = Promise.withResolvers<ClaimedExecution>();
  const { claim } = begun(() => promise);
  void claim.make();
  const write = vi.fn<(claim: ClaimWithEnd | null) => Promise<string>>().mockResolvedValue("ended");
  const written = claim.endWith(write);
  await vi.advanceTimersByTimeAsync(10);
  expect(write).not.toHaveBeenCalled();
  resolve(WON);
  expect(await written).toBe("ended");
  expect(write).toHaveBeenCalledExactlyOnceWith(null);
});

test("where others have it the run is stopped and its end is not written", async () => {
  const { claim, stop, report, running } = begun(loses);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
  expect(claim.isRefused).toBe(true);
  const write = vi.fn(() => Promise.resolve("ended"));
  expect(await claim.endWith(write)).toBeNull();
  expect(write).not.toHaveBeenCalled();
  expect(report).not.toHaveBeenCalled();
  expect(running.list()).toEqual([]);
});

test("a database that is away for a moment stops no run", async () => {
  const away = new Fault("service.unavailable", { internal: "away" });
  const { claim, stop, asked, report } = begun(wins);
  asked.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const made = claim.make();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await made).toBe(true);
  // One that was made and not answered is this run's.
  expect(asked.mock.calls.map(([, , , how]) => how?.mayBeMine)).toEqual([false, true, true]);
  expect(stop).not.toHaveBeenCalled();
  expect(report).not.toHaveBeenCalled();
});

test("where it stays away the run is stopped, and that is told", async () => {
  const { claim, stop, report } = begun(() =>
    Promise.reject(new Fault("service.unavailable", { internal: "away" })),
  );
  const made = claim.make();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await made).toBe(false);
  expect(claim.hasFailed).toBe(true);
  expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
  expect(report).toHaveBeenCalledOnce();
});

test("a claim that the database refuses for what it is, is not tried again", async () => {
  const { claim, asked, stop, report } = begun(() => Promise.reject(new Error("refused")));
  expect(await claim.make()).toBe(false);
  expect(asked).toHaveBeenCalledOnce();
  expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
  expect(report).toHaveBeenCalledOnce();
});

test("a claim whose answer comes after its lease is none", async () => {
  const { claim, stop } = begun(async () => {
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
    return WON;
  });
  const made = claim.make();
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(await made).toBe(false);
  expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
});

test("what was closed is never claimed", async () => {
  const { claim, asked } = begun(wins);
  claim.close();
  expect(await claim.settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await claim.make()).toBe(false);
  expect(asked).not.toHaveBeenCalled();
});

test("what was closed while its claim was tried again is not claimed any more", async () => {
  const { claim, asked } = begun(() =>
    Promise.reject(new Fault("service.unavailable", { internal: "away" })),
  );
  const made = claim.make();
  await vi.advanceTimersByTimeAsync(50);
  claim.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await made).toBe(false);
  expect(asked).toHaveBeenCalledOnce();
});

describe("a worker that was stopped for longer than a lease lasts", () => {
  /** As when it goes on: the clock has moved, no timer has fired. */
  const wake = (begunRun: ReturnType<typeof begun>) => {
    vi.setSystemTime(Date.now() + LEASE_MS);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + LEASE_MS);
    return begunRun;
  };
  afterEach(() => void vi.restoreAllMocks());

  test("claims nothing on what it read before", async () => {
    const { claim, asked, stop } = wake(begun(wins));
    expect(await claim.make()).toBe(false);
    expect(asked).not.toHaveBeenCalled();
    expect(stop).toHaveBeenCalledExactlyOnceWith("superseded");
    expect(claim.hasFailed).toBe(true);
  });

  test("ends nothing by it", async () => {
    const { claim } = wake(begun(wins));
    const write = vi.fn(() => Promise.resolve("ended"));
    expect(await claim.endWith(write)).toBeNull();
    expect(write).not.toHaveBeenCalled();
    expect(claim.isRefused).toBe(true);
    expect(claim.hasFailed).toBe(true);
  });
});
