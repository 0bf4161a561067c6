import type { Call, History, Reading, StreamEvent } from "./history.ts";

export const anEvent = (id: string | null, kind: string): StreamEvent => ({
  id,
  event: `execution.${kind}`,
  data: "{}",
});

export const aReading = (executionId: string, after: string | null, events: StreamEvent[]): Reading => ({
  executionId,
  after,
  events,
  ended: "closed",
});

const aCall = (what: Call["what"]): Call => ({
  what,
  askedAt: 0,
  answeredAt: 1,
  outcome: { is: "ok", status: 200 },
});

const sighting = (executionId: string, status: string, askedAt: number) =>
  ({ executionId, status, by: "read", askedAt, seenAt: askedAt + 1 }) as const;

/** One execution that succeeded with an effect, followed in two pieces, and one that was cancelled; to be made worse. */
export function goodHistory(): History {
  const [first, second, cancel] = [aCall("submit"), aCall("submit"), aCall("cancel")];
  return {
    calls: [first, second, cancel],
    submissions: [
      { call: first, marker: "a", key: "key-a", executionId: "exe_a" },
      { call: second, marker: "b", key: null, executionId: "exe_b" },
    ],
    cancels: [{ executionId: "exe_b", call: cancel }],
    sightings: [
      sighting("exe_a", "succeeded", 20),
      sighting("exe_a", "succeeded", 30),
      sighting("exe_b", "cancelled", 20),
    ],
    followed: [
      [
        { ...aReading("exe_a", null, [anEvent("1-1", "queued"), anEvent("1-2", "started")]), ended: "left" },
        aReading("exe_a", "1-2", [anEvent("1-3", "log"), anEvent("1-4", "succeeded")]),
      ],
    ],
    whole: [
      aReading("exe_a", null, [
        anEvent("1-1", "queued"),
        anEvent("1-2", "started"),
        anEvent("1-3", "log"),
        anEvent("1-4", "succeeded"),
      ]),
      aReading("exe_b", null, [anEvent("1-1", "queued"), anEvent("2-2", "cancelled")]),
    ],
    effects: [{ executionId: "exe_a", step: "1", at: 10 }],
    rows: [
      { id: "exe_a", marker: "a", status: "succeeded", idempotent: false, attempt: 1, mustEnd: "succeeded" },
      { id: "exe_b", marker: "b", status: "cancelled", idempotent: false, attempt: 1, mustEnd: null },
    ],
    bounds: { logsLost: false, effectMsMax: 1_000 },
  };
}
