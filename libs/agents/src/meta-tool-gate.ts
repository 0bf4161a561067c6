import {
  decideMetaTool,
  type ActingCall,
  type ApprovalDecision,
  type ConfirmedCall,
  type JsonObject,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";

/** Decides whether a meta-tool that acts may go on. */
export interface MetaToolGate {
  /** For one that nobody is asked about, and for one before it asks back. Throws `tool.blocked`. */
  refuseBlocked(principal: TenantPrincipal, call: ActingCall): void;
  /**
   * Null if it may go on; else the id of the approval that it waits for, and the call ends there. `check` throws faults
   * that the call would meet anyway, before a person is asked. Also throws `tool.blocked` and `approval.too_many`.
   */
  confirm(
    principal: TenantPrincipal,
    call: ConfirmedCall,
    check?: () => Promise<unknown>,
  ): Promise<string | null>;
}

/** The answer to a call that a person has to allow first. */
export interface Waiting {
  approvalId: string;
}

export interface GateDeps {
  /** Stores the call until a person answers; the id of its approval. */
  askPerson: (principal: TenantPrincipal, call: ConfirmedCall) => Promise<string>;
}

/** A person's key needs no confirmation; the tenant's settings decide on an agent's call (`decideMetaTool`). */
export const settingsGate = ({ askPerson }: GateDeps): MetaToolGate => ({
  refuseBlocked: (principal, call) => void unblocked(principal, call),
  confirm: async (principal, call, check) => {
    if (unblocked(principal, call) === "preApproved") return null;
    await check?.();
    return askPerson(principal, call);
  },
});

/** For a call that a person has allowed. */
export const OPEN_GATE: MetaToolGate = { refuseBlocked: () => undefined, confirm: async () => null };

/** Throws `tool.blocked`. */
function unblocked(
  { role, approval }: TenantPrincipal,
  { name, arguments: args }: ActingCall,
): Exclude<ApprovalDecision, "blocked"> {
  const decision = role === "agent" ? decideMetaTool(approval, name, args as JsonObject) : "preApproved";
  if (decision !== "blocked") return decision;
  throw new Fault("tool.blocked", {
    detail: `The tenant's policy blocks this call of ${name} for agents; tell the user what you wanted to do.`,
  });
}
