import { repeated, type Check } from "./check.ts";
import { acknowledged, isEnd, isEndEvent, type History } from "./history.ts";

const statusOf = (history: History): Map<string, string> =>
  new Map(history.rows.map(({ id, status }) => [id, status]));

/** About rows and states. */
export const END_CHECKS: readonly Check[] = [
  {
    name: "what was acknowledged is there",
    faults: (history) => {
      const rows = statusOf(history);
      return [...acknowledged(history)].filter((id) => !rows.has(id)).map((id) => `${id} has no row`);
    },
  },
  {
    name: "every execution has ended",
    faults: ({ rows }) =>
      rows.filter(({ status }) => !isEnd(status)).map(({ id, status }) => `${id} is ${status}`),
  },
  {
    name: "a tool without effects ends as it would have without the fault",
    faults: ({ rows }) =>
      rows
        .filter(({ status, mustEnd }) => mustEnd !== null && status !== mustEnd)
        .map(({ id, status, mustEnd }) => `${id} is ${status} and not ${mustEnd}`),
  },
  {
    name: "the API, the end of the stream and the row agree",
    faults: (history) => {
      const rows = statusOf(history);
      const told = history.whole.flatMap(({ executionId, events }) =>
        events
          .filter(isEndEvent)
          .map(({ event }) => ({ executionId, status: event.replace("execution.", ""), by: "stream" })),
      );
      return [...told, ...history.sightings.filter(({ status }) => isEnd(status))]
        .filter(({ executionId, status }) => rows.get(executionId) !== status)
        .map(
          ({ executionId, status, by }) => `${executionId}: ${by} ${status}, row ${rows.get(executionId)}`,
        );
    },
  },
  {
    name: "a terminal state never changes once it was seen",
    faults: ({ sightings }) =>
      [...Map.groupBy(sightings, ({ executionId }) => executionId)].flatMap(([id, seen]) => {
        const first = seen.filter(({ status }) => isEnd(status)).toSorted((a, b) => a.seenAt - b.seenAt)[0];
        if (!first) return [];
        return seen
          .filter(
            ({ status, askedAt }) => status !== first.status && (isEnd(status) || askedAt > first.seenAt),
          )
          .map(({ status, by }) => `${id}: ${first.by} ${first.status}, then ${by} ${status}`);
      }),
  },
  {
    name: "what was submitted exists at most once, and what was refused not at all",
    faults: ({ submissions, rows }) => {
      const markers = rows.flatMap(({ marker }) => marker ?? []);
      const refused = [...Map.groupBy(submissions, ({ marker }) => marker)]
        .filter(([, tries]) => tries.every(({ call }) => call.outcome?.is === "failed"))
        .map(([marker]) => marker);
      return [
        ...repeated(markers).map((marker) => `${marker} exists more than once`),
        ...refused
          .filter((marker) => markers.includes(marker))
          .map((marker) => `${marker} was refused and exists`),
      ];
    },
  },
  {
    name: "nothing exists that nobody submitted",
    faults: ({ submissions, rows }) => {
      const known = new Set(submissions.map(({ marker }) => marker));
      return rows
        .filter(({ marker }) => !known.has(marker ?? ""))
        .map(({ id }) => `${id} was asked for by nobody`);
    },
  },
  {
    name: "an idempotency key stands for one execution",
    faults: ({ submissions }) =>
      [...Map.groupBy(submissions, ({ key }) => key)].flatMap(([key, tries]) => {
        const ids = new Set(tries.flatMap(({ executionId }) => executionId ?? []));
        return key !== null && ids.size > 1 ? [`${key}: ${[...ids].join(", ")}`] : [];
      }),
  },
];
