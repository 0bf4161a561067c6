import { ATTEMPT_INVARIANTS } from "./attempts.ts";
import { DISPATCH_INVARIANTS } from "./dispatch.ts";
import { EXECUTION_INVARIANTS } from "./executions.ts";
import type { Ended, Invariant } from "./invariant.ts";

export type { Ended } from "./invariant.ts";

/** A breach of the invariant of that name. */
export interface Broken {
  invariant: string;
  how: string;
}

/** Breaches of one invariant that are told. */
const TOLD_MAX = 3;

/** What was broken in a world. */
export const judgeWorld = (ended: Ended): Broken[] =>
  INVARIANTS.flatMap(({ name, check }) =>
    check(ended)
      .slice(0, TOLD_MAX)
      .map((how) => ({ invariant: name, how })),
  );

/** Everything that must hold in every world, whatever befalls it. */
const INVARIANTS: Invariant[] = [...EXECUTION_INVARIANTS, ...ATTEMPT_INVARIANTS, ...DISPATCH_INVARIANTS];
