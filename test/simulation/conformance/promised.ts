import type { Admission, LimitsAsOf } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect } from "vitest";
import { nameOf } from "../model/waiting.ts";
import { limited } from "./calls.ts";
import type { QueueUnderTest } from "./queue-under-test.ts";

/** What every dispatcher behind the port promises, whatever it is made of. */
export interface Promised {
  name: string;
  slots: number;
  check: (under: QueueUnderTest) => Promise<void>;
}

/** Waits until the worker has exactly these, in this order. */
export async function hasTaken({ taken }: QueueUnderTest, all: Admission[]): Promise<void> {
  await until(() => taken.length >= all.length, { what: "all is taken" });
  expect(taken).toEqual(all.map(nameOf));
}

/** Nothing else would come: a step that hands out whatever there is. */
export async function hasTakenOnly(under: QueueUnderTest, all: Admission[]): Promise<void> {
  await under.queue.dispatch();
  await hasTaken(under, all);
}

/** Dispatches until a moment has come, and with it what was due by then. */
export const dispatchUntil = ({ queue }: QueueUnderTest, at: number): Promise<unknown> =>
  until(() => queue.dispatch().then(() => Date.now() > at), { what: "what is due is dispatched" });

export const capped = (cap: number, asOf = 1): LimitsAsOf => limited({ maxConcurrentExecutions: cap }, asOf);
