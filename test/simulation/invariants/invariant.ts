import type { Told } from "../history.ts";
import type { Row } from "../model/execution-row.ts";

/** A world at its end. */
export interface Ended {
  facts: Told[];
  rows: ReadonlyMap<string, Row>;
  /** Whether everything ended and the queue was empty in time once nothing went wrong any more. */
  atRest: boolean;
  /** From then on the world was at rest; a probe ran in it. */
  calmFrom: number;
  probed: boolean;
  /** What the queue held a moment after the probe's end. */
  left: string[];
}

/** A promise, and how to see that it was broken: sentences about who broke it and how. */
export interface Invariant {
  name: string;
  check: (ended: Ended) => string[];
}

type Kind = Told["kind"];

/** The facts of some kinds, in their order. */
export const only = <K extends Kind>(facts: Told[], ...kinds: K[]): Extract<Told, { kind: K }>[] =>
  facts.filter((fact): fact is Extract<Told, { kind: K }> => (kinds as Kind[]).includes(fact.kind));

export const byExecution = <T extends { executionId: string }>(facts: T[]): Map<string, T[]> =>
  Map.groupBy(facts, ({ executionId }) => executionId);
