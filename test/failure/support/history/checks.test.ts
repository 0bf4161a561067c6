import { describe, expect, test } from "vitest";
import { CHECKS, faultsOf } from "./checks.ts";
import { anEvent, aReading, goodHistory } from "./forged.ts";
import type { History } from "./history.ts";

/** For each promise, lies that must be found out. */
const FORGERIES: Record<string, ((history: History) => void)[]> = {
  "what was acknowledged is there": [(h) => h.rows.splice(0, 1)],
  "every execution has ended": [(h) => (h.rows[0]!.status = "running")],
  "a tool without effects ends as it would have without the fault": [(h) => (h.rows[0]!.status = "lost")],
  "the API, the end of the stream and the row agree": [
    (h) => (h.rows[0]!.status = "failed"),
    (h) => (h.whole[0]!.events.at(-1)!.event = "execution.lost"),
  ],
  "a terminal state never changes once it was seen": [
    (h) => (h.sightings[1]!.status = "failed"),
    (h) => (h.sightings[1]!.status = "running"),
  ],
  "what was submitted exists at most once, and what was refused not at all": [
    (h) => h.rows.push({ ...h.rows[0]!, id: "exe_twice" }),
    (h) => (h.submissions[0]!.call.outcome = { is: "failed", why: "429" }),
  ],
  "nothing exists that nobody submitted": [
    (h) => (h.rows[0]!.marker = "ghost"),
    (h) => (h.rows[0]!.marker = null),
  ],
  "an idempotency key stands for one execution": [
    (h) => h.submissions.push({ ...h.submissions[0]!, executionId: "exe_b" }),
  ],
  "no effect happens twice unless the tool is idempotent": [
    (h) => h.effects.push({ ...h.effects[0]!, at: 11 }),
  ],
  "a cancel that was answered holds": [(h) => (h.rows[1]!.status = "succeeded")],
  "no effect comes after the end was told": [(h) => (h.effects[0]!.at = 5_000)],
  "the ids of a stream rise strictly": [
    (h) => (h.whole[0]!.events = h.whole[0]!.events.toReversed()),
    (h) => (h.followed[0]![1]!.after = "1-3"),
    (h) => (h.whole[0]!.events[0]!.id = null),
  ],
  "a stream leaves out no number of an attempt without a gap": [
    (h) => h.whole[0]!.events.splice(1, 1),
    (h) => h.followed[0]![1]!.events.shift(),
  ],
  "a gap is told only where logs were lost": [(h) => h.whole[0]!.events.splice(2, 0, anEvent(null, "gap"))],
  "a stream ends exactly once, and nothing follows its end": [
    (h) => h.whole[0]!.events.pop(),
    (h) => h.whole[0]!.events.push(anEvent("1-4", "succeeded")),
    (h) => h.whole[0]!.events.push(anEvent("1-4", "log")),
    (h) => (h.whole[0]!.ended = "broken"),
  ],
  "what was read in pieces is the whole": [
    (h) => (h.followed[0]![0]!.events[1]!.data = "other"),
    (h) => h.followed[0]![0]!.events.pop(),
  ],
  "in pieces, too, nothing follows the end": [
    (h) => h.followed[0]!.push(aReading("exe_a", "1-3", [anEvent("1-4", "log")])),
  ],
};

test("a history in which all is well has no faults", () => {
  expect(faultsOf(goodHistory())).toEqual([]);
});

test("every check has a forgery that it must find out", () => {
  expect(Object.keys(FORGERIES).toSorted()).toEqual(CHECKS.map(({ name }) => name).toSorted());
});

describe.each(CHECKS)("$name", ({ name, faults }) => {
  test.each(FORGERIES[name] ?? [])("is found broken in a forged history (%#)", (forge) => {
    const history = goodHistory();
    forge(history);
    expect(faults(history)).not.toEqual([]);
  });
});

describe("what a fault makes possible is no fault", () => {
  test("a gap, and a hole behind it, where logs were lost", () => {
    const history = goodHistory();
    history.bounds.logsLost = true;
    history.whole[0]!.events.splice(1, 1, anEvent(null, "gap"));
    expect(faultsOf(history)).toEqual([]);
  });

  test("an effect that an idempotent tool repeats", () => {
    const history = goodHistory();
    history.rows[0]!.idempotent = true;
    history.effects.push({ ...history.effects[0]! });
    expect(faultsOf(history)).toEqual([]);
  });

  test("an execution whose submitter never heard of it", () => {
    const history = goodHistory();
    history.submissions[1]!.call.outcome = { is: "unknown", why: "no answer" };
    history.submissions[1]!.executionId = null;
    expect(faultsOf(history)).toEqual([]);
  });
});
