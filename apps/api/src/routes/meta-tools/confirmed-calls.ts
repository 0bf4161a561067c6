import { doConfirmed, settingsGate, type MetaToolDeps } from "@bulkhead/agents";
import { askPerson, sweepCalls, type AskPersonDeps, type SweepCallsDeps } from "@bulkhead/executions";
import { setTimeout } from "node:timers/promises";

const SWEEP_EVERY_MS = 1_000;

type ConfirmedDeps = Omit<MetaToolDeps, "metaToolGate"> & AskPersonDeps;

/** Brings the meta-tools, which ask, and the approvals, which have done what was allowed, together. */
export const confirmedMetaTools = (
  deps: ConfirmedDeps,
): Pick<MetaToolDeps, "metaToolGate"> & Pick<SweepCallsDeps, "doMetaTool"> => ({
  metaToolGate: settingsGate({ askPerson: (principal, call) => askPerson(deps, principal, call) }),
  doMetaTool: (principal, call, repeated) => doConfirmed(deps, principal, call, repeated),
});

/** Puts right, every second, what is due of the meta-tools' calls that wait for people; stops when it is closed. */
export function sweepApprovals(deps: SweepCallsDeps): { close(): Promise<void> } {
  const stopping = new AbortController();
  const turns = sweepUntil(deps, stopping.signal);
  return {
    async close() {
      stopping.abort();
      await turns;
    },
  };
}

async function sweepUntil(deps: SweepCallsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepCalls(deps).catch((error: unknown) =>
      deps.report("sweeping the meta-tools' calls that wait failed", error),
    );
    await setTimeout(SWEEP_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
