import type { Check } from "./check.ts";
import { isEndEvent, isGap, type History, type Reading, type StreamEvent } from "./history.ts";

/** Not a number where an event has no id, or none of the right form: that neither rises nor follows. */
const idOf = ({ id }: StreamEvent): [number, number] => {
  const [, attempt, n] = /^(\d+)-(\d+)$/u.exec(id ?? "") ?? [];
  return [Number(attempt), Number(n)];
};

const rises = (before: StreamEvent, after: StreamEvent): boolean => {
  const [[a, n], [b, m]] = [idOf(before), idOf(after)];
  return b > a || (b === a && m > n);
};

/** Neighbours in one attempt with a number between them left out. */
const hasHole = (before: StreamEvent, after: StreamEvent): boolean => {
  const [[a, n], [b, m]] = [idOf(before), idOf(after)];
  return a === b && m !== n + 1;
};

function neighbours(
  events: StreamEvent[],
  isFault: (before: StreamEvent, after: StreamEvent) => boolean,
): [StreamEvent, StreamEvent][] {
  return events.flatMap((after, at) => {
    const before = events[at - 1];
    return before && isFault(before, after) ? [[before, after] as [StreamEvent, StreamEvent]] : [];
  });
}

const inAll = (history: History, faultsOf: (reading: Reading) => string[]): string[] =>
  [...history.followed.flat(), ...history.whole].flatMap((reading) =>
    faultsOf(reading).map((fault) => `${reading.executionId} after ${reading.after}: ${fault}`),
  );

const resumedFrom = ({ after, events }: Reading): StreamEvent[] =>
  after === null ? events : [{ id: after, event: "resumed", data: "" }, ...events];

const sameEvent = (a: StreamEvent | undefined, b: StreamEvent | undefined): boolean =>
  a?.id === b?.id && a?.event === b?.event && a?.data === b?.data;

/** About streams, whole and in pieces. */
export const STREAM_CHECKS: readonly Check[] = [
  {
    name: "the ids of a stream rise strictly",
    faults: (history) =>
      inAll(history, (reading) =>
        neighbours(
          resumedFrom(reading).filter((event) => !isGap(event)),
          (before, after) => !rises(before, after),
        ).map(([before, after]) => `${after.id} behind ${before.id}`),
      ),
  },
  {
    name: "a stream leaves out no number of an attempt without a gap",
    faults: (history) =>
      inAll(history, (reading) =>
        neighbours(
          resumedFrom(reading),
          (before, after) => !isGap(before) && !isGap(after) && hasHole(before, after),
        ).map(([before, after]) => `${after.id} behind ${before.id}`),
      ),
  },
  {
    name: "a gap is told only where logs were lost",
    faults: (history) =>
      history.bounds.logsLost
        ? []
        : inAll(history, ({ events }) => events.filter(isGap).map(({ data }) => data)),
  },
  {
    name: "a stream ends exactly once, and nothing follows its end",
    faults: (history) =>
      history.whole.flatMap(({ executionId, events, ended }) => {
        const ends = events.filter(isEndEvent).length;
        if (ends === 1 && ended === "closed" && events.at(-1) && isEndEvent(events.at(-1) as StreamEvent))
          return [];
        return [`${executionId}: ${ends} ends, ${ended} behind ${events.at(-1)?.event}`];
      }),
  },
  {
    name: "what was read in pieces is the whole",
    faults: (history) => {
      if (history.bounds.logsLost) return [];
      const whole = new Map(history.whole.map((reading) => [reading.executionId, reading.events]));
      return history.followed.flatMap((pieces) => {
        const read = pieces.flatMap(({ events }) => events);
        const expected = whole.get(pieces[0]?.executionId ?? "") ?? [];
        const at = read.findIndex((event, index) => !sameEvent(event, expected[index]));
        return at < 0
          ? []
          : [`${pieces[0]?.executionId}: ${read[at]?.id} where the whole has ${expected[at]?.id}`];
      });
    },
  },
  {
    name: "in pieces, too, nothing follows the end",
    faults: ({ followed }) =>
      followed.flatMap((pieces) => {
        const events = pieces.flatMap((piece) => piece.events);
        const end = events.findIndex(isEndEvent);
        return end < 0 || end === events.length - 1
          ? []
          : [`${pieces[0]?.executionId}: ${events[end + 1]?.event}`];
      }),
  },
];
