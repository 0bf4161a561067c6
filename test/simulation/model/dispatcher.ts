import type { Admission, AttemptKey, LimitsAsOf, Reservation, ReservationRequest } from "@bulkhead/core";
import { leastWaitMs } from "./least-wait.ts";
import { TenantState, toolRate, type Slot } from "./tenant.ts";
import { TIMES, type DispatcherTimes } from "./times.ts";
import { nameOf, placeOf, type Waiting } from "./waiting.ts";
import { Workers } from "./workers.ts";

/** So many tenants are looked at for one that holds no slot. */
const FIRSTS_MAX = 8;

/**
 * The dispatcher as the design says it, in memory, each method one atomic step that answers what is handed out by it, in
 * order. Written to be obviously right: it looks at everything each time.
 */
export class Dispatcher {
  readonly tenants = new Map<string, TenantState>();
  protected readonly now: () => number;
  readonly #workers: Workers;
  readonly #times: DispatcherTimes;
  #virtualTime = 0;
  #lapsed = 0;

  constructor(now: () => number, times: DispatcherTimes = TIMES) {
    this.now = now;
    this.#workers = new Workers(now);
    this.#times = times;
  }

  /** Of what it takes at once at most, its `capacity`, a saturated worker offers fewer as `slots`. */
  announce(worker: string, slots: number, forMs: number, capacity = slots): void {
    this.#workers.say(worker, slots, capacity, forMs);
  }

  withdraw(worker: string): void {
    this.#workers.withdraw(worker);
  }

  reserve({ tenantId, executionIds, current, timeoutMs, priority }: ReservationRequest): Reservation {
    const tenant = this.#tenant(tenantId);
    const now = this.now();
    for (const [id, until] of tenant.reserved) if (until < now) tenant.reserved.delete(id);
    const limits = tenant.limited && tenant.asOf > current.asOf.getTime() ? tenant.limits : current.limits;
    const waiting = () => tenant.waitingCount + tenant.reserved.size;
    let ahead = tenant.backlog.countFrom(priority);
    const wait = () => leastWaitMs(tenant, limits, ahead, this.#workers.slots, now);
    let accepted = 0;
    let refusedFor: Reservation["refusedFor"] = null;
    for (const id of executionIds) {
      if (!tenant.reserved.has(id)) {
        const bound = limits.maxConcurrentExecutions + limits.maxQueuedExecutions;
        if (tenant.slots.size + waiting() >= bound) refusedFor = "backlog";
        else if (wait() > timeoutMs) refusedFor = "deadline";
        if (refusedFor !== null) break;
        ahead += 1;
      }
      tenant.reserved.set(id, now + this.#times.reservedMs);
      accepted += 1;
    }
    return { accepted, refusedFor, waitMs: Math.ceil(wait()), waiting: waiting() };
  }

  admit(admissions: Admission[]): AttemptKey[] {
    const named: AttemptKey[] = [];
    for (const admission of admissions) {
      const tenant = this.#tenant(admission.tenantId);
      if (admission.current) tenant.take(admission.current, this.now());
      tenant.limited = true;
      const name = nameOf(admission);
      const slot = tenant.slots.get(name);
      if (slot && slot.until > this.now()) named.push(slot.attempt);
      else if (!tenant.waits(name)) {
        if (slot) this.free(tenant, name);
        tenant.reserved.delete(admission.executionId);
        this.#join(tenant, admission);
      }
    }
    return [...named, ...this.fill()];
  }

  release(attempt: AttemptKey, usedMs: number | null): AttemptKey[] {
    const tenant = this.#tenant(attempt.tenantId);
    const name = nameOf(attempt);
    tenant.reserved.delete(attempt.executionId);
    if (tenant.slots.has(name)) {
      const slot = this.free(tenant, name);
      if (slot && usedMs !== null) tenant.settle(slot.charge ?? 0, usedMs);
    } else {
      tenant.backlog.remove(name);
      tenant.delayed.delete(name);
      for (const { parked } of tenant.tools.values()) parked.remove(name);
    }
    return this.fill();
  }

  setLimits(tenantId: string, current: LimitsAsOf): AttemptKey[] {
    this.#tenant(tenantId).take(current, this.now());
    return this.fill();
  }

  /** What runs is counted, also after Redis forgot it: the tenant may then stand above its cap. */
  renew(attempts: AttemptKey[]): void {
    const until = this.now() + this.#times.runningMs;
    for (const attempt of attempts) {
      const tenant = this.#tenant(attempt.tenantId);
      const name = nameOf(attempt);
      const slot = tenant.slots.get(name);
      if (slot) slot.until = until;
      else {
        tenant.backlog.remove(name);
        tenant.slots.set(name, { attempt, until, charge: null, tool: null });
      }
    }
    this.#updateRings();
  }

  /** Those that neither wait here nor are in the ready list; a slot alone does not count. */
  missing(attempts: AttemptKey[], isReady: (name: string) => boolean): AttemptKey[] {
    return attempts.filter((attempt) => {
      const tenant = this.#tenant(attempt.tenantId);
      const name = nameOf(attempt);
      if (tenant.waits(name)) return false;
      if (!isReady(name)) return true;
      const slot = tenant.slots.get(name);
      if (slot) slot.until = this.now() + this.#times.handedOutMs;
      return false;
    });
  }

  dispatch(): AttemptKey[] {
    return this.fill();
  }

  reap(): { handedOut: AttemptKey[]; lapsed: number } {
    const handedOut = this.fill();
    const lapsed = this.#lapsed;
    this.#lapsed = 0;
    return { handedOut, lapsed };
  }

  get inflight(): number {
    let count = 0;
    for (const tenant of this.tenants.values()) count += tenant.slots.size;
    return count;
  }

  get room(): number {
    return this.#workers.reach - this.inflight;
  }

  get #ring(): TenantState[] {
    const before = (a: TenantState, b: TenantState): number => a.tag - b.tag || (a.id < b.id ? -1 : 1);
    return [...this.tenants.values()].filter(({ inRing }) => inRing).sort(before);
  }

  /** Lowest tag first, of equal ones the lowest id. */
  protected get next(): TenantState | undefined {
    return this.#ring[0];
  }

  /** Where no slot is offered: who holds none and has had no more than others. */
  protected get nextFirst(): TenantState | undefined {
    if (this.inflight >= this.#workers.reachAtRest) return undefined;
    return this.#ring
      .slice(0, FIRSTS_MAX)
      .find(({ slots, tag }) => slots.size === 0 && tag <= this.#virtualTime);
  }

  /** Hands out as long as there is room and somebody's turn. */
  protected fill(): AttemptKey[] {
    this.#ripen();
    this.#updateRings();
    const handedOut: AttemptKey[] = [];
    for (;;) {
      const tenant = this.room > 0 ? this.next : this.nextFirst;
      if (!tenant) break;
      const attempt = this.#turn(tenant);
      if (attempt) handedOut.push(attempt);
      this.#updateRing(tenant);
    }
    return handedOut;
  }

  protected free(tenant: TenantState, name: string): Slot | undefined {
    const slot = tenant.slots.get(name);
    tenant.slots.delete(name);
    if (slot?.tool) tenant.toolLine(slot.tool.id).running.delete(name);
    return slot;
  }

  /** Whether its next turn may come as far as its slots and its rate go. */
  protected mayStart(tenant: TenantState): boolean {
    return this.belowCap(tenant) && this.withinRate(tenant);
  }

  protected belowCap(tenant: TenantState): boolean {
    return tenant.slots.size < tenant.limits.maxConcurrentExecutions;
  }

  protected withinRate(tenant: TenantState): boolean {
    return tenant.arrivals.readyAt(tenant.rate) <= this.now();
  }

  /** The moment by which an attempt waits that comes, or comes back, now. */
  protected placeOf(attempt: AttemptKey): number {
    return placeOf(attempt, this.now());
  }

  #turn(tenant: TenantState): AttemptKey | null {
    const { first } = tenant.backlog;
    if (!first) return null;
    tenant.backlog.remove(first.name);
    const { tool, name, attempt } = first;
    if (tool) {
      const line = tenant.toolLine(tool.id);
      if (line.opensAt(tool, 0, this.now()) > this.now()) {
        line.parked.add(first);
        return null;
      }
      line.running.add(name);
      const rate = toolRate(tool);
      if (rate) line.arrivals.take(rate, this.now());
    }
    const until = this.now() + this.#times.handedOutMs;
    tenant.slots.set(name, { attempt, until, charge: tenant.meanMs, tool });
    this.#virtualTime = Math.max(this.#virtualTime, tenant.tag);
    tenant.tag += tenant.meanMs / tenant.limits.weight;
    tenant.arrivals.take(tenant.rate, this.now());
    return attempt;
  }

  /** Who enters the ring starts at the virtual time at the least: waiting earns no credit; debts stay. */
  #updateRing(tenant: TenantState): void {
    const belongs = tenant.backlog.size > 0 && this.mayStart(tenant);
    if (belongs && !tenant.inRing) tenant.tag = Math.max(tenant.tag, this.#virtualTime);
    tenant.inRing = belongs;
  }

  #updateRings(): void {
    for (const tenant of this.tenants.values()) this.#updateRing(tenant);
  }

  #join(tenant: TenantState, { tool, priority, delayMs, tenantId, executionId, attempt }: Admission): void {
    const isLimited = tool?.maxConcurrent !== undefined || tool?.perSecond !== undefined;
    const key = { tenantId, executionId, attempt };
    const place = this.placeOf(key);
    const waiting = { name: nameOf(key), attempt: key, priority, place, tool: isLimited ? tool : null };
    if (delayMs > 0) tenant.delayed.set(waiting.name, { ...waiting, due: this.now() + Math.ceil(delayMs) });
    else this.#enqueue(tenant, waiting);
  }

  #enqueue(tenant: TenantState, waiting: Waiting): void {
    const parked = waiting.tool && tenant.toolLine(waiting.tool.id).parked;
    (parked && parked.size > 0 ? parked : tenant.backlog).add(waiting);
  }

  /** Leases that ran out, delays that passed, tools that have room again. */
  #ripen(): void {
    const now = this.now();
    const due: [TenantState, Waiting & { due: number }][] = [];
    for (const tenant of this.tenants.values()) {
      for (const [name, slot] of tenant.slots) {
        if (slot.until > now) continue;
        this.free(tenant, name);
        this.#lapsed += 1;
      }
      for (const waiting of tenant.delayed.values()) if (waiting.due <= now) due.push([tenant, waiting]);
    }
    for (const [tenant, waiting] of due.sort(([, a], [, b]) => a.due - b.due)) {
      tenant.delayed.delete(waiting.name);
      // A first attempt was asked for later, and is as if submitted then; any other one comes back.
      this.#enqueue(tenant, waiting.attempt.attempt === 1 ? { ...waiting, place: waiting.due } : waiting);
    }
    for (const tenant of this.tenants.values()) this.#unpark(tenant);
  }

  #unpark(tenant: TenantState): void {
    for (const line of tenant.tools.values()) {
      for (let ahead = 0; ; ahead += 1) {
        const { first } = line.parked;
        if (!first?.tool || line.opensAt(first.tool, ahead, this.now()) > this.now()) break;
        line.parked.remove(first.name);
        tenant.backlog.add(first);
      }
    }
  }

  #tenant(id: string): TenantState {
    const tenant = this.tenants.get(id) ?? new TenantState(id);
    this.tenants.set(id, tenant);
    return tenant;
  }
}
