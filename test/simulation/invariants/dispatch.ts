import type { Told } from "../history.ts";
import { only, type Invariant } from "./invariant.ts";

/** Redis was emptied, or the tenant's limits changed: what ran before is not counted against them. */
const isUpheaval = (fact: Told, tenantId: string): boolean =>
  fact.kind === "emptied" || (fact.kind === "limits" && fact.tenantId === tenantId);

const tenantsOf = (facts: Told[]): string[] => [
  ...new Set(only(facts, "inserted").map(({ tenantId }) => tenantId)),
];

type Guest = Extract<Told, { kind: "began" | "stopped" | "claimed" }>;

/** The guests that run at a moment; workers may run one attempt each, before one of them has claimed it. */
class Guests {
  readonly #running = new Map<string, Guest>();

  get executions(): string[] {
    return [...new Set([...this.#running.values()].map(({ executionId }) => executionId))];
  }

  began(guest: Guest): void {
    this.#running.set(`${guest.executionId}-${guest.attempt} ${guest.by}`, guest);
  }

  stopped({ executionId, attempt, by }: Guest): void {
    this.#running.delete(`${executionId}-${attempt} ${by}`);
  }

  /** A worker's guests die with it. */
  died(worker: string): void {
    for (const [name, { by }] of this.#running) if (by === worker) this.#running.delete(name);
  }

  /** None of it runs by right any more, but for who claimed it. */
  gone(executionId: string, claimedBy?: string): void {
    for (const [name, guest] of this.#running)
      if (guest.executionId === executionId && guest.by !== claimedBy) this.#running.delete(name);
  }
}

/** Of one tenant: whose guest runs, by right of the row, and was handed out since the limits last changed or Redis was emptied. */
function capBreaches(facts: Told[], tenantId: string): string[] {
  const handedOut = new Set<string>();
  const running = new Guests();
  const held = new Map<string, Guest>();
  const over = new Set<string>();
  const owners = new Map(only(facts, "inserted").map((fact) => [fact.executionId, fact.tenantId]));
  const breaches: string[] = [];
  let cap = Number.POSITIVE_INFINITY;
  for (const fact of facts) {
    if (isUpheaval(fact, tenantId)) {
      // Nothing is taken from who runs.
      handedOut.clear();
      if (fact.kind === "limits") cap = fact.limits.maxConcurrentExecutions;
      continue;
    }
    if (fact.kind === "died") running.died(fact.process);
    if (!("executionId" in fact) || owners.get(fact.executionId) !== tenantId) continue;
    if (fact.kind === "dispatched") handedOut.add(fact.executionId);
    if (fact.kind === "claimed") {
      held.set(fact.executionId, fact);
      running.gone(fact.executionId, fact.by);
    }
    if (fact.kind === "stopped") running.stopped(fact);
    if (fact.kind === "requeued" || fact.kind === "ended") {
      held.delete(fact.executionId);
      running.gone(fact.executionId);
      if (fact.kind === "ended") over.add(fact.executionId);
    }
    if (fact.kind !== "began" || over.has(fact.executionId)) continue;
    // Who was stopped past its lease and wakes may run a moment longer: its slot is not its own any more. A first try may
    // begin before it is claimed, by several who don't know of each other: the slot is whose claim counts.
    const { attempt, by } = held.get(fact.executionId) ?? { attempt: 1, by: fact.by };
    if (fact.attempt !== attempt || fact.by !== by) continue;
    running.began(fact);
    const counted = running.executions.filter((id) => handedOut.has(id));
    if (counted.length <= cap) continue;
    const how = `${tenantId} with a cap of ${cap} runs ${counted.join(" and ")}`;
    breaches.push(how);
  }
  return breaches;
}

/** A token bucket of its own beside the dispatcher's arrival times: in any time t at most rate × t + burst. */
function rateBreaches(facts: Told[], tenantId: string): string[] {
  let limits: { executionsPerSecond: number; executionBurst: number } | null = null;
  let tokens = 0;
  let at = 0;
  return facts.flatMap((fact) => {
    if (isUpheaval(fact, tenantId)) {
      if (fact.kind === "limits") limits = fact.limits;
      tokens = limits?.executionBurst ?? 0;
      at = fact.at;
    }
    if (fact.kind !== "dispatched" || fact.tenantId !== tenantId || limits === null) return [];
    tokens =
      Math.min(limits.executionBurst, tokens + ((fact.at - at) / 1_000) * limits.executionsPerSecond) - 1;
    at = fact.at;
    return tokens < -1e-6
      ? [`${tenantId} was handed out one above its rate (tokens ${tokens.toFixed(3)})`]
      : [];
  });
}

/** What is promised of the dispatcher. */
export const DISPATCH_INVARIANTS: Invariant[] = [
  {
    name: "a tenant runs at most its cap at every instant",
    check: ({ facts }) => tenantsOf(facts).flatMap((tenantId) => capBreaches(facts, tenantId)),
  },
  {
    name: "a tenant is handed out at most rate × t + burst in any time t",
    check: ({ facts }) => tenantsOf(facts).flatMap((tenantId) => rateBreaches(facts, tenantId)),
  },
  {
    name: "no slot idles while an execution may start",
    check: ({ facts }) =>
      only(facts, "stepped").flatMap(({ room, waitsFor }) =>
        room > 0 && waitsFor !== null ? [`${waitsFor} waits while there is room for ${room}`] : [],
      ),
  },
  {
    name: "within a tenant and a priority nobody waits behind what was submitted later",
    check: ({ facts }) => only(facts, "stepped").flatMap(({ overtaken }) => overtaken ?? []),
  },
  {
    name: "at rest nothing holds a slot, a reservation or a lease",
    check: ({ left }) => left,
  },
];
