import { type EgressRequest, Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { eventBodyOf } from "./event-body.ts";
import {
  answered,
  mirrorVault,
  sampleClaimed,
  sampleEnded,
  secretOf,
  sendingTo,
} from "./fixtures/deliveries.ts";
import { send } from "./send.ts";
import { signatureOf } from "./sign.ts";

const running = new AbortController().signal;
const outcomeOf = (status: number, headers: [string, string][] = [], tryNumber = 1) =>
  send(
    sendingTo(async () => answered(status, headers)),
    sampleClaimed({ tryNumber }),
    running,
  );

test("a delivery is a signed POST of the event under the id of the first one, and its connection is let go", async () => {
  const seen: EgressRequest[] = [];
  const deps = sendingTo(async (request) => {
    seen.push(request);
    return answered(204);
  });
  const outcome = await send(deps, sampleClaimed({ n: 3, generations: [2, 1] }), running);
  expect(outcome).toMatchObject({ status: 204, error: null, verdict: { next: "delivered" } });
  const body = eventBodyOf(sampleEnded());
  const message = { id: "dlv_01_1", timestamp: 1_700_000_000, body };
  expect(seen).toMatchObject([
    { method: "POST", url: "https://hooks.example.com/a", body, redirect: "manual" },
  ]);
  expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({
    "content-type": "application/json",
    "webhook-id": message.id,
    "webhook-timestamp": "1700000000",
    "webhook-signature": signatureOf(message, [secretOf(2), secretOf(1)]),
  });
  expect(deps.closed).toBe(1);
});

test.each([200, 201, 204, 299])("%i is delivered", async (status) => {
  expect((await outcomeOf(status)).verdict).toEqual({ next: "delivered" });
});

test("410 ends it: the receiver wants no more", async () => {
  expect((await outcomeOf(410)).verdict).toEqual({ next: "failed" });
});

test.each([301, 308, 400, 404, 429, 500, 503])("%i is tried again later", async (status) => {
  expect(await outcomeOf(status)).toMatchObject({ status, verdict: { next: "retry", delayMs: 5_000 } });
  expect((await outcomeOf(status, [], 2)).verdict).toEqual({ next: "retry", delayMs: 30_000 });
});

test.each([
  [302, "https://new.example.com/b", "https://new.example.com/b"],
  [308, "/b?c=1", "https://hooks.example.com/b?c=1"],
  [301, "https://user:hunter2@new.example.com/", "https://new.example.com/"],
  [307, "http://", null],
  [200, "https://new.example.com/", null],
])("a %i to %s tells where it was sent to", async (status, location, told) => {
  expect((await outcomeOf(status, [["Location", location]])).location).toBe(told);
});

test("what a redirect says is bounded and can be stored", async () => {
  const { location } = await outcomeOf(302, [["location", `/\u{1f6a7}${"x".repeat(9_000)}`]]);
  expect(location).toMatch(/^[\x20-\x7e]{2048}$/);
  expect((await outcomeOf(302)).location).toBeNull();
});

test("Retry-After makes the pause longer", async () => {
  expect((await outcomeOf(503, [["retry-after", "90"]])).verdict).toEqual({ next: "retry", delayMs: 90_000 });
});

test("what the network says is told in text that can be stored", async () => {
  const message = `no \0 way \u{1f6a7}${"x".repeat(1_000)}`;
  const deps = sendingTo(async () => ({ ok: false, code: "failed", message }));
  const { status, error, verdict } = await send(deps, sampleClaimed(), running);
  expect(status).toBeNull();
  expect(error).toMatch(/^no \? way [?]+x+$/);
  expect(error?.length).toBeLessThanOrEqual(300);
  expect(verdict).toEqual({ next: "retry", delayMs: 5_000 });
});

test("a worker that stops gives its try back at once", async () => {
  const stopping = new AbortController();
  const deps = sendingTo(
    (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ok: false, code: "aborted", message: "aborted" }));
        stopping.abort();
      }),
  );
  expect(await send(deps, sampleClaimed(), stopping.signal)).toMatchObject({
    error: expect.stringContaining("worker stopped"),
    verdict: { next: "retry", delayMs: 0 },
  });
  expect(deps.closed).toBe(1);
});

test("a secret that can't be opened is a try that failed, and says no more than that", async () => {
  const open = async (): Promise<string> => {
    throw new Fault("vault.unreadable", { internal: "hunter2" });
  };
  const deps = sendingTo(async () => answered(200), { vault: { ...mirrorVault, open } });
  const outcome = await send(deps, sampleClaimed({ sealedSecret: "hunter2" }), running);
  expect(outcome).toMatchObject({ status: null, verdict: { next: "retry" } });
  expect(outcome.error).toContain("sealed secret can't be opened");
  expect(outcome.error).not.toContain("hunter2");
});
