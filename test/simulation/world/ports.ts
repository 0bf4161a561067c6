import type {
  Admission,
  AttemptKey,
  EventStream,
  ExecutionQueue,
  ExecutionStore,
  SignalBus,
  UsedMs,
} from "@bulkhead/core";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { nameOf } from "../model/waiting.ts";
import type { World } from "./world.ts";

/** What the use cases call of the store. */
export type CalledStore = Pick<
  ExecutionStore,
  | "insert"
  | "insertBatch"
  | "insertOnce"
  | "findByKey"
  | "findByKeys"
  | "look"
  | "claim"
  | "tryAgain"
  | "markEffect"
  | "finish"
  | "convict"
  | "retryLater"
  | "handBack"
  | "renewLeases"
  | "endFromOutside"
  | "billOutside"
  | "find"
  | "expireOverdue"
  | "listQueued"
  | "recoverExpiredLeases"
>;

/** The store as one process reaches it: each call is one transaction, at some moment or never. */
export function storeOf(world: World, process: VirtualProcess): CalledStore {
  const { network, postgres, store } = world;
  const ask = <T>(what: string, effect: () => T): Promise<T> => network.call(process, postgres, what, effect);
  return {
    insert: (execution) => ask("insert", () => store.insertBatch([execution])),
    insertBatch: (executions) => ask("insertBatch", () => store.insertBatch(executions)),
    insertOnce: (calls) => ask("insertOnce", () => store.insertOnce(calls)),
    findByKey: (tenantId, once) => ask("findByKey", () => store.findByKey(tenantId, once)),
    findByKeys: (tenantId, keys) => ask("findByKeys", () => store.findByKeys(tenantId, keys)),
    look: (key) => ask("look", () => store.look(key)),
    claim: (key, workerId, leaseMs, how) => ask("claim", () => store.claim(key, workerId, leaseMs, how)),
    tryAgain: (key, leaseMs) => ask("tryAgain", () => store.tryAgain(key, leaseMs)),
    markEffect: (key, leaseMs) => ask("markEffect", () => store.markEffect(key, leaseMs)),
    finish: (key, ending, endEventId, claim = null) =>
      ask("finish", () => store.finish(key, ending, endEventId, claim)),
    convict: (key, ending, endEventId) => ask("convict", () => store.convict(key, ending, endEventId)),
    retryLater: (key, ending, when) => ask("retryLater", () => store.retryLater(key, ending, when)),
    handBack: (key) => ask("handBack", () => store.handBack(key)),
    renewLeases: (keys, leaseMs) => ask("renewLeases", () => store.renewLeases(keys, leaseMs)),
    endFromOutside: (key, ending) => ask("endFromOutside", () => store.endFromOutside(key, ending)),
    billOutside: (key, bill) => ask("billOutside", () => store.billOutside(key, bill)),
    find: (key) => ask("find", () => store.find(key)),
    expireOverdue: (limit) => ask("expireOverdue", () => store.expireOverdue(limit)),
    listQueued: (ms, after, limit) => ask("listQueued", () => store.listQueued(ms, after, limit)),
    recoverExpiredLeases: (limit) => ask("recoverExpiredLeases", () => store.recoverExpiredLeases(limit)),
  };
}

/**
 * The dispatcher as one process reaches it. As in the product, a step adds to the ready list what it hands out; a release
 * that failed is tried again at the next reap, and what was released is renewed no more.
 */
export function queueOf(world: World, process: VirtualProcess): Omit<ExecutionQueue, "measure"> {
  const ask = <T>(what: string, effect: () => T): Promise<T> =>
    world.network.call(process, world.redis, what, effect);
  const released = new Set<string>();
  const unreleased = new Map<string, [AttemptKey, UsedMs]>();
  const step = async (what: string, effect: () => AttemptKey[], fresh = (all: AttemptKey[]) => all) => {
    await ask(what, () => {
      const handedOut = effect();
      world.observe(fresh(handedOut));
      world.ready.add(handedOut);
    });
  };
  const release = async (attempt: AttemptKey, usedMs: UsedMs) => {
    await step("release", () => {
      if (usedMs === "unless_taken" && world.ready.isTaken(nameOf(attempt)))
        return world.dispatcher.dispatch();
      const { executionId } = attempt;
      world.history.tell({ kind: "released", executionId, attempt: attempt.attempt });
      return world.dispatcher.release(attempt, usedMs === "unless_taken" ? null : usedMs);
    });
    await ask("take back", () => world.ready.removeWaiting(attempt));
  };
  return {
    reserve: (wanted) => ask("reserve", () => world.dispatcher.reserve(wanted)),
    admit: (admissions: Admission[]) => {
      const held = new Set<string>();
      const effect = () => {
        for (const { tenantId, ...key } of admissions)
          if (world.dispatcher.tenants.get(tenantId)?.slots.has(nameOf({ tenantId, ...key })))
            held.add(nameOf({ tenantId, ...key }));
        return world.dispatcher.admit(admissions);
      };
      return step("admit", effect, (all) => all.filter((attempt) => !held.has(nameOf(attempt))));
    },
    release: async (attempt, usedMs) => {
      released.add(nameOf(attempt));
      unreleased.set(nameOf(attempt), [attempt, usedMs]);
      await release(attempt, usedMs);
      unreleased.delete(nameOf(attempt));
    },
    setLimits: (tenantId, current) => step("setLimits", () => world.dispatcher.setLimits(tenantId, current)),
    missing: (attempts) =>
      ask("missing", () => world.dispatcher.missing(attempts, (name) => world.ready.has(name))),
    renew: (attempts) => {
      const running = attempts.filter((attempt) => !released.has(nameOf(attempt)));
      return ask("renew", () => world.dispatcher.renew(running));
    },
    dispatch: () => step("dispatch", () => world.dispatcher.dispatch()),
    reap: async () => {
      for (const [name, [attempt, usedMs]] of unreleased) {
        await release(attempt, usedMs);
        unreleased.delete(name);
      }
      let freed = 0;
      await step("reap", () => {
        const { handedOut, lapsed } = world.dispatcher.reap();
        freed = lapsed;
        return handedOut;
      });
      return freed;
    },
  };
}

/** The logs of executions as one process reaches them. */
export const streamOf = (world: World, process: VirtualProcess): Pick<EventStream, "append"> => ({
  append: (_tenantId, events) =>
    world.network.call(process, world.redis, "append", () => world.stream.append(events)),
});

/** Signals to whoever listens at that moment; the seed loses some and brings others twice. */
/** Signals are lost here without a word: nothing ever says that some may have been. */
export function busOf(world: World, process: VirtualProcess): Omit<SignalBus, "subscribe"> {
  const deliver = world.random;
  return {
    connected: true,
    interruptions: 0,
    publish: (signal) =>
      world.network.call(process, world.redis, "publish", () => {
        const { lost } = world.network.mishaps;
        for (const { process: listener, onSignal } of world.members) {
          const copies = deliver.chance(lost * 4) ? deliver.pick([0, 2]) : 1;
          for (let copy = 0; copy < copies; copy += 1)
            world.scheduler.after(deliver.skewed(2, 50), listener, () => onSignal(signal));
        }
      }),
  };
}
