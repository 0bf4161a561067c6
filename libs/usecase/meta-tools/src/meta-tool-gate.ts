import type { ConfirmedCall, TenantPrincipal } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";

/** Decides whether a meta-tool that asks for confirmation may go on. */
export interface MetaToolGate {
  /**
   * Null where it may; else the id of the approval that it waits for, and the call ends there. `check` throws what would be
   * wrong with the call anyway, before a person is bothered with it. Throws `tool.blocked` and `approval.too_many` too.
   */
  confirm(
    principal: TenantPrincipal,
    call: ConfirmedCall,
    check?: () => Promise<unknown>,
  ): Promise<string | null>;
}

/** What a call answers that a person has to allow first. */
export interface Waiting {
  approvalId: string;
}

export interface GateDeps {
  /** Stores the call until a person answers; the id of its approval. */
  askPerson: (principal: TenantPrincipal, call: ConfirmedCall) => Promise<string>;
}

/** Whoever calls by a person's key has decided; for an agent's call its tenant's `approval.metaTools` does. */
export const settingsGate = ({ askPerson }: GateDeps): MetaToolGate => ({
  confirm: async (principal, call, check) => {
    const { role, approval } = principal;
    if (role !== "agent" || approval.metaTools === "preApproved") return null;
    if (approval.metaTools === "blocked") {
      throw new Fault("tool.blocked", {
        detail: `The tenant's policy blocks ${call.name} for agents; tell the user what you wanted to do.`,
      });
    }
    await check?.();
    return askPerson(principal, call);
  },
});

/** For a call that a person has allowed. */
export const OPEN_GATE: MetaToolGate = { confirm: async () => null };
