import { Fault } from "@bulkhead/core";

/** Why is for the log only. */
export const unreadable = (why: string): Fault =>
  new Fault("vault.unreadable", { internal: `a sealed secret can't be opened: ${why}` });
