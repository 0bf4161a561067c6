import type { EgressAnswer, EgressBroker, EgressRefusal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { countEgress } from "./count-egress.ts";
import { recordingMeter } from "./fixtures/recording-meter.ts";

const ANSWERED = { ok: true, status: 200 } as EgressAnswer;
const refusal = (code: EgressRefusal): EgressAnswer => ({ ok: false, code, message: "no" });

/** One request that is answered so, and the series that rose. */
async function counted(answer: EgressAnswer, byOthers = false) {
  const { meter, sums } = recordingMeter();
  const session = {
    fetch: () => Promise.resolve(answer),
    requests: 7,
    withSecrets: () => ({ ...session, fetch: () => Promise.resolve(answer) }),
    close: () => undefined,
  };
  const broker = { open: () => session, close: () => Promise.resolve() } as unknown as EgressBroker;
  const first = countEgress(broker, meter).open({} as Parameters<EgressBroker["open"]>[0]);
  const opened = byOthers ? first.withSecrets([]) : first;
  const request = {} as Parameters<typeof opened.fetch>[0];
  expect(await opened.fetch(request, AbortSignal.abort(), 1)).toBe(answer);
  expect(opened.requests).toBe(7);
  return [...sums].filter(([, count]) => count > 0).map(([series]) => series);
}

test.each<[EgressAnswer, string[]]>([
  [ANSWERED, ["bulkhead_egress_requests_total{answered}"]],
  [refusal("failed"), ["bulkhead_egress_requests_total{failed}"]],
  [refusal("timeout"), ["bulkhead_egress_requests_total{timeout}"]],
  [refusal("aborted"), ["bulkhead_egress_requests_total{aborted}"]],
  [
    refusal("egress_denied"),
    ["bulkhead_egress_requests_total{refused}", "bulkhead_egress_refused_total{egress_denied}"],
  ],
  [
    refusal("network_limit"),
    ["bulkhead_egress_requests_total{refused}", "bulkhead_egress_refused_total{network_limit}"],
  ],
])("a request is counted once, and what we refused by its reason: %o", async (answer, series) => {
  expect(await counted(answer)).toEqual(series);
  expect(await counted(answer, true)).toEqual(series);
});
