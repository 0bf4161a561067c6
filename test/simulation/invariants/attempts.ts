import { compareEventIds, HOLDER_FIRST_EVENT, outsiderEndEventId } from "@bulkhead/core";
import type { Told } from "../history.ts";
import { byExecution, only, type Ended, type Invariant } from "./invariant.ts";

const IS_END = /^execution\.(succeeded|failed|timed_out|cancelled|denied|lost)$/;

/** Events of each execution's log, a new one after each emptying of Redis. */
function* logs({ facts }: Ended): Generator<[string, { id: string; type: string }[]]> {
  const lives: Told[][] = [[]];
  for (const fact of facts) {
    if (fact.kind === "emptied") lives.push([]);
    else lives.at(-1)?.push(fact);
  }
  for (const life of lives) yield* byExecution(only(life, "appended"));
}

/** The attempt whose holder this shows; null of what others do. */
function shownOf(fact: Told): string | null {
  if (fact.kind === "effect") return `${fact.executionId}-${fact.attempt}`;
  // An end from outside is numbered as the next attempt's.
  if (fact.kind !== "appended" || IS_END.test(fact.type)) return null;
  const [attempt, n] = fact.id.split("-").map(Number);
  return n === undefined || n < HOLDER_FIRST_EVENT ? null : `${fact.executionId}-${attempt}`;
}

/** What is promised of attempts: they are the fencing token. */
export const ATTEMPT_INVARIANTS: Invariant[] = [
  {
    name: "each attempt is held once, one after another",
    check: ({ facts }) =>
      [...byExecution(only(facts, "claimed"))].flatMap(([id, claims]) => {
        const numbers = claims.map(({ attempt }) => attempt);
        return numbers.every((number, n) => number === n + 1)
          ? []
          : [`${id} was claimed as ${numbers.join(", ")}`];
      }),
  },
  {
    name: "an execution that may not be repeated has its effects in one attempt",
    check: ({ facts }) =>
      [...byExecution(only(facts, "effect"))].flatMap(([id, effects]) => {
        const attempts = new Set(
          effects.filter(({ idempotent }) => !idempotent).map(({ attempt }) => attempt),
        );
        return attempts.size > 1 ? [`${id} had effects in attempts ${[...attempts].join(", ")}`] : [];
      }),
  },
  {
    name: "who lost an attempt ends nothing and does nothing after another took over",
    check: ({ facts }) => {
      const holders = new Map<string, number>();
      return facts.flatMap((fact) => {
        if (fact.kind === "claimed") holders.set(fact.executionId, fact.attempt);
        if (fact.kind !== "effect" && fact.kind !== "ended") return [];
        const holder = holders.get(fact.executionId) ?? 0;
        if (fact.attempt === null || fact.attempt >= holder) return [];
        const how = `${fact.executionId}: ${fact.kind} of attempt ${fact.attempt} while ${holder} held`;
        return [how];
      });
    },
  },
  {
    name: "of an attempt that nobody has claimed nothing shows",
    check: ({ facts }) => {
      const claimed = new Set<string>();
      return facts.flatMap((fact) => {
        if (fact.kind === "claimed") claimed.add(`${fact.executionId}-${fact.attempt}`);
        const attempt = shownOf(fact);
        if (attempt === null || claimed.has(attempt)) return [];
        return [`${attempt} showed by ${fact.kind} before it was claimed`];
      });
    },
  },
  {
    name: "the ids of an execution's events rise strictly",
    check: (ended) =>
      [...logs(ended)].flatMap(([id, events]) =>
        events.flatMap((event, n) => {
          const before = events[n - 1];
          return before && compareEventIds(event.id, before.id) <= 0
            ? [`${id}: ${event.id} after ${before.id}`]
            : [];
        }),
      ),
  },
  {
    name: "a stream ends at most once, and nothing follows its end",
    check: (ended) =>
      [...logs(ended)].flatMap(([id, events]) => {
        const end = events.findIndex(({ type }) => IS_END.test(type));
        const after = end < 0 ? undefined : events[end + 1];
        return after ? [`${id}: ${after.type} ${after.id} after ${events[end]?.type}`] : [];
      }),
  },
  {
    name: "the terminal event is the terminal row's",
    check: ({ facts, rows }) =>
      only(facts, "appended").flatMap(({ executionId, id, type }) => {
        const row = rows.get(executionId);
        if (!IS_END.test(type) || (row?.endEventId === id && type === `execution.${row.status}`)) return [];
        return [`${executionId}: ${type} ${id} where the row says ${row?.status} ${row?.endEventId}`];
      }),
  },
  {
    name: "an end from outside is above all that the holder can say",
    check: ({ facts, rows }) =>
      only(facts, "ended").flatMap(({ executionId, attempt, endEventId }) => {
        const row = rows.get(executionId);
        const above = attempt !== null || endEventId === outsiderEndEventId(row?.attempt ?? 0);
        return above ? [] : [`${executionId} ended from outside by ${endEventId}`];
      }),
  },
];
