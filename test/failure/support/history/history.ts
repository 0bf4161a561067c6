/** How a client's call ended, as far as the client can know. */
export type Outcome =
  | { is: "ok"; status: number }
  /** Refused for certain: never sent, or answered with 4xx. */
  | { is: "failed"; why: string }
  /** The connection broke, nothing came in time, or the answer was 5xx: it may have happened. */
  | { is: "unknown"; why: string };

/** One call of a client; `outcome` stays null while it is only invoked. Times are milliseconds of one clock. */
export interface Call {
  what: "submit" | "cancel" | "read" | "follow";
  askedAt: number;
  answeredAt: number | null;
  outcome: Outcome | null;
}

/** One execution that a client asked for; the marker stands in its arguments, so that its row is found without an answer. */
export interface Submission {
  call: Call;
  marker: string;
  key: string | null;
  executionId: string | null;
}

/** A status that some answer told of an execution. */
interface Sighting {
  executionId: string;
  status: string;
  by: "answer" | "read" | "cancel" | "stream" | "final read";
  askedAt: number;
  seenAt: number;
}

export interface StreamEvent {
  id: string | null;
  event: string;
  data: string;
}

/** One piece of a stream: from behind `after` to where it closed, broke, or was left. */
export interface Reading {
  executionId: string;
  after: string | null;
  events: StreamEvent[];
  ended: "closed" | "broken" | "left";
}

/** A request that a tool made to the test's own server. */
export interface Effect {
  executionId: string;
  step: string;
  at: number;
}

/** What Postgres holds when everything is at rest. */
interface Row {
  id: string;
  marker: string | null;
  status: string;
  idempotent: boolean;
  attempt: number;
  /** How its tool ends wherever it runs to its end; null where the fault itself may change that, as with effects. */
  mustEnd: string | null;
}

/** All that was seen from outside while a fault was on, and what was found when it was over. */
export interface History {
  calls: Call[];
  submissions: Submission[];
  cancels: { executionId: string; call: Call }[];
  sightings: Sighting[];
  /** Pieces in the order in which each follower read them; a follower never leaves one out. */
  followed: Reading[][];
  /** The whole stream of each acknowledged execution, read from its beginning at rest. */
  whole: Reading[];
  effects: Effect[];
  rows: Row[];
  bounds: Bounds;
}

/** What the fault makes possible. */
export interface Bounds {
  /** Redis may have lost logs of streams, or could not be written to. */
  logsLost: boolean;
  /** How long after an end was told an effect of that execution may still arrive; milliseconds. */
  effectMsMax: number;
}

const TERMINAL = new Set(["succeeded", "failed", "timed_out", "cancelled", "denied", "lost"]);
const END_EVENT = /^execution\.(succeeded|failed|timed_out|cancelled|denied|lost)$/u;

export const isEnd = (status: string): boolean => TERMINAL.has(status);
export const isEndEvent = ({ event }: StreamEvent): boolean => END_EVENT.test(event);
export const isGap = ({ event }: StreamEvent): boolean => event === "execution.gap";

/** The executions whose acceptance some client was told of. */
export const acknowledged = (history: History): Set<string> =>
  new Set(history.submissions.flatMap(({ executionId }) => executionId ?? []));
