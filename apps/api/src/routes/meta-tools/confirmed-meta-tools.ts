import { askPerson, type AskPersonDeps, type SweepCallsDeps } from "@bulkhead/executions";
import { doConfirmed, settingsGate, type MetaToolDeps } from "@bulkhead/agents";

type ConfirmedDeps = Omit<MetaToolDeps, "metaToolGate"> & AskPersonDeps;

/** Brings the meta-tools, which ask, and the approvals, which have done what was allowed, together. */
export const confirmedMetaTools = (
  deps: ConfirmedDeps,
): Pick<MetaToolDeps, "metaToolGate"> & Pick<SweepCallsDeps, "doMetaTool"> => ({
  metaToolGate: settingsGate({ askPerson: (principal, call) => askPerson(deps, principal, call) }),
  doMetaTool: (principal, call, repeated) => doConfirmed(deps, principal, call, repeated),
});
