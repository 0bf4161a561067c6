import type { ClaimedDelivery, DeliveryOutcome, DeliveryRound, EgressAnswer } from "@bulkhead/core";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import { leakCheck, until } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import { Courier, type CourierBounds } from "./courier.ts";
import { answered, sampleClaimed, sendingTo } from "./fixtures/deliveries.ts";

leakCheck();

/** What is due in memory; a tenant whose name begins with "dead" has an endpoint that never answers. */
class Due {
  readonly rounds: DeliveryRound[] = [];
  readonly sent: string[] = [];
  readonly recorded: [ClaimedDelivery, DeliveryOutcome][] = [];
  readonly reported: unknown[] = [];
  waiting: ClaimedDelivery[] = [];
  fails = false;

  add(tenantId: string, count: number): void {
    for (let n = 1; n <= count; n += 1)
      this.waiting.push(sampleClaimed({ tenantId, n, url: `https://${tenantId}.example/${n}` }));
  }

  claim = async (round: DeliveryRound) => {
    this.rounds.push({ ...round, busy: new Map(round.busy) });
    if (this.fails) throw new Error("the database is away");
    const taken = new Map(round.busy);
    const claimed: ClaimedDelivery[] = [];
    for (const one of this.waiting.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) {
      const count = taken.get(one.tenantId) ?? 0;
      if (one.tenantId <= (round.after ?? "") || count >= round.tenantMax || claimed.length >= round.countMax)
        continue;
      taken.set(one.tenantId, count + 1);
      claimed.push(one);
    }
    this.waiting = this.waiting.filter((one) => !claimed.includes(one));
    return { claimed, next: claimed.length === round.countMax ? (claimed.at(-1)?.tenantId ?? null) : null };
  };

  record = async (claimed: ClaimedDelivery, outcome: DeliveryOutcome) => {
    this.recorded.push([claimed, outcome]);
    return true;
  };

  open(bounds: CourierBounds): Courier {
    const receive = async ({ url }: { url: string }, signal: AbortSignal): Promise<EgressAnswer> => {
      this.sent.push(url);
      if (!url.startsWith("https://dead")) return answered(204);
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ ok: false, code: "aborted", message: "" })),
      );
    };
    const report = (_what: string, error: unknown) => this.reported.push(error);
    courier = new Courier({ ...sendingTo(receive), deliveries: this, tracing: NO_TRACING, report, bounds });
    return courier;
  }
}

let courier: Courier | null = null;
afterEach(() => courier?.close());

test("all that is due is sent in one round and put on record", async () => {
  const due = new Due();
  due.add("a", 2);
  due.add("b", 1);
  await due.open({ inAllMax: 10, tenantMax: 5 }).sweep();
  await until(() => due.recorded.length === 3, { what: "three outcomes" });
  expect(due.recorded.map(([, { verdict }]) => verdict.next)).toEqual([
    "delivered",
    "delivered",
    "delivered",
  ]);
});

test("a dead endpoint holds no more than its tenant's share, and nobody else's delivery back", async () => {
  const due = new Due();
  due.add("dead", 50);
  due.add("quiet", 3);
  await due.open({ inAllMax: 20, tenantMax: 4 }).sweep();
  await until(() => due.recorded.length === 3, { what: "the quiet tenant's outcomes" });
  expect(due.sent.filter((url) => url.startsWith("https://dead"))).toHaveLength(4);
  expect(due.recorded.every(([{ tenantId }]) => tenantId === "quiet")).toBe(true);
});

test("many dead endpoints leave slots too: the fuller it is, the less for each", async () => {
  const due = new Due();
  for (let tenant = 10; tenant < 13; tenant += 1) due.add(`dead-${tenant}`, 50);
  const { open } = { open: () => due.open({ inAllMax: 20, tenantMax: 4 }) };
  const one = open();
  await one.sweep();
  due.add("dead-20", 50);
  due.add("quiet", 1);
  await one.sweep();
  await until(() => due.recorded.length === 1, { what: "the quiet tenant's outcome" });
  expect(due.sent.filter((url) => url.startsWith("https://dead-20"))).toHaveLength(1);
});

test("what waited for a slot is taken as soon as one is free, without another word", async () => {
  const due = new Due();
  due.add("busy", 10);
  await due.open({ inAllMax: 3, tenantMax: 2 }).sweep();
  await until(() => due.recorded.length === 10, { what: "all outcomes" });
  expect(Math.max(...due.rounds.map(({ countMax }) => countMax))).toBe(3);
});

test("any number of kicks is one round, and one that came during a round is heard after it", async () => {
  const due = new Due();
  const one = due.open({ inAllMax: 10, tenantMax: 5 });
  for (let kicks = 0; kicks < 100; kicks += 1) one.kick();
  await until(() => due.rounds.length === 1, { what: "the round" });
  const during = one.sweep();
  one.kick();
  due.add("a", 1);
  await during;
  await until(() => due.recorded.length === 1, { what: "the outcome" });
  expect(due.rounds.length).toBeLessThanOrEqual(4);
});

test("a database that is away fails a sweep, is reported for a kick, and is asked again", async () => {
  const due = new Due();
  due.add("a", 1);
  due.fails = true;
  const one = due.open({ inAllMax: 10, tenantMax: 5 });
  await expect(one.sweep()).rejects.toThrow("away");
  one.kick();
  await until(() => due.reported.length === 1, { what: "the report" });
  due.fails = false;
  await one.sweep();
  await until(() => due.recorded.length === 1, { what: "the outcome" });
});

test("a courier that is closed gives back what is under way, and begins nothing more", async () => {
  const due = new Due();
  due.add("dead", 2);
  const one = due.open({ inAllMax: 10, tenantMax: 5 });
  await one.sweep();
  await one.close();
  expect(due.recorded.map(([, { verdict }]) => verdict)).toEqual([
    { next: "retry", delayMs: 0 },
    { next: "retry", delayMs: 0 },
  ]);
  due.add("a", 1);
  one.kick();
  await one.sweep();
  expect(due.rounds).toHaveLength(1);
});
