import { compareEventIds, isTerminal, type AttemptKey, type ClaimedExecution } from "@bulkhead/core";
import { Dispatcher } from "./model/dispatcher.ts";
import { ModelKeys } from "./model/keys.ts";
import { StoreModel, type StoreFacts } from "./model/store.ts";
import { StreamModel } from "./model/stream.ts";
import type { TenantState } from "./model/tenant.ts";
import { nameOf } from "./model/waiting.ts";
import { HONEST, type Models } from "./world/models.ts";

/** Models that are broken in one place: each must be caught by some seed. */
export interface Mutant {
  name: string;
  /** The invariant that it breaks; others may break with it. */
  breaks: string;
  /** Where the search begins, for one that shows itself in few worlds: before the seed that shows it at present. */
  from?: number;
  models: Models;
}

const withStore = (Store: new (facts: StoreFacts) => StoreModel): Models => ({
  ...HONEST,
  store: (facts) => new Store(facts),
});
const withDispatcher = (Broken: new (now: () => number) => Dispatcher): Models => ({
  ...HONEST,
  dispatcher: (now) => new Broken(now),
});

class ClaimsAnyAttempt extends StoreModel {
  protected override mayClaim({ status }: Parameters<StoreModel["mayClaim"]>[0]): boolean {
    return status === "queued";
  }
}
class ClaimsNothing extends StoreModel {
  override claim(key: AttemptKey): ClaimedExecution | null {
    return this.look(key);
  }
}
class EndsWhatOthersClaimed extends StoreModel {
  protected override mayClaimWithEnd({ status }: Parameters<StoreModel["mayClaimWithEnd"]>[0]): boolean {
    return !isTerminal(status);
  }
}
class FinishesForAnyHolder extends StoreModel {
  protected override mayFinish({ status }: Parameters<StoreModel["mayFinish"]>[0]): boolean {
    return status === "running";
  }
}
class RequeuesEffects extends StoreModel {
  protected override mayRecover(): boolean {
    return true;
  }
}
class CancelsWhatEnded extends StoreModel {
  protected override mayEndFromOutside(): boolean {
    return true;
  }
}
class ForgetsKeys extends StoreModel {
  protected override readonly keys = new (class extends ModelKeys {
    override find(): null {
      return null;
    }
  })();
}
class NeverLooksAtLeases extends StoreModel {
  protected override isLeased(): boolean {
    return true;
  }
}
class NoCap extends Dispatcher {
  protected override belowCap(): boolean {
    return true;
  }
}
class NoRate extends Dispatcher {
  protected override withinRate(): boolean {
    return true;
  }
}
class ForgetsSlots extends Dispatcher {
  override release(attempt: AttemptKey): AttemptKey[] {
    this.tenants.get(attempt.tenantId)?.reserved.delete(attempt.executionId);
    return this.fill();
  }
}
class FreesAtRenewal extends Dispatcher {
  override renew(attempts: AttemptKey[]): void {
    for (const attempt of attempts) this.tenants.get(attempt.tenantId)?.slots.delete(nameOf(attempt));
  }
}
class LeavesTheRoom extends Dispatcher {
  override release(attempt: AttemptKey): AttemptKey[] {
    const tenant = this.tenants.get(attempt.tenantId);
    if (tenant) this.free(tenant, nameOf(attempt));
    tenant?.backlog.remove(nameOf(attempt));
    tenant?.reserved.delete(attempt.executionId);
    return [];
  }
}
class StarvesTheLast extends Dispatcher {
  protected override mayStart(tenant: TenantState): boolean {
    return super.mayStart(tenant) && !(this.tenants.size > 1 && tenant === [...this.tenants.values()].at(-1));
  }
}
class SendsToTheTail extends Dispatcher {
  protected override placeOf(): number {
    return this.now();
  }
}
class TakesAnyEvent extends StreamModel {
  protected override mayAppend(executionId: string, id: string): boolean {
    return compareEventIds(id, this.last.get(executionId) ?? "0-0") !== 0;
  }
}

export const MUTANTS: Mutant[] = [
  {
    name: "a claim that does not look at the attempt",
    breaks: "each attempt is held once, one after another",
    models: withStore(ClaimsAnyAttempt),
  },
  {
    name: "a claim that takes nothing",
    breaks: "of an attempt that nobody has claimed nothing shows",
    models: withStore(ClaimsNothing),
  },
  {
    name: "an end with a claim of what others have",
    breaks: "each attempt is held once, one after another",
    from: 480,
    models: withStore(EndsWhatOthersClaimed),
  },
  {
    name: "an end written without a look at the attempt",
    breaks: "who lost an attempt ends nothing and does nothing after another took over",
    from: 1_300,
    models: withStore(FinishesForAnyHolder),
  },
  {
    name: "a sweep that queues again what had effects",
    breaks: "an execution that may not be repeated has its effects in one attempt",
    from: 225,
    models: withStore(RequeuesEffects),
  },
  {
    name: "a cancel that ends what has ended",
    breaks: "an execution ends once, and its end never changes",
    models: withStore(CancelsWhatEnded),
  },
  {
    name: "keys that are not looked up",
    breaks: "an idempotency key stands for one execution",
    models: withStore(ForgetsKeys),
  },
  {
    name: "a sweep that takes no lease for run out",
    breaks: "nothing is left unended once nothing goes wrong any more",
    models: withStore(NeverLooksAtLeases),
  },
  {
    name: "a dispatcher without the cap",
    breaks: "a tenant runs at most its cap at every instant",
    models: withDispatcher(NoCap),
  },
  {
    name: "a heartbeat that frees what it should keep",
    breaks: "a tenant runs at most its cap at every instant",
    models: withDispatcher(FreesAtRenewal),
  },
  {
    name: "a dispatcher without the rate",
    breaks: "a tenant is handed out at most rate × t + burst in any time t",
    models: withDispatcher(NoRate),
  },
  {
    name: "a release that forgets the slot",
    breaks: "at rest nothing holds a slot, a reservation or a lease",
    models: withDispatcher(ForgetsSlots),
  },
  {
    name: "a release that hands its room to nobody",
    breaks: "no slot idles while an execution may start",
    models: withDispatcher(LeavesTheRoom),
  },
  {
    name: "a dispatcher that starves a tenant",
    breaks: "no slot idles while an execution may start",
    models: withDispatcher(StarvesTheLast),
  },
  {
    name: "a dispatcher that puts who comes back behind all others",
    breaks: "within a tenant and a priority nobody waits behind what was submitted later",
    models: withDispatcher(SendsToTheTail),
  },
  {
    name: "a stream that takes any event",
    breaks: "the ids of an execution's events rise strictly",
    models: { ...HONEST, stream: (history) => new TakesAnyEvent(history) },
  },
];
