import { expect, test } from "vitest";
import { z } from "zod";
import { levelOf, logLevel } from "./log-level.ts";
import { readSettings } from "./settings.ts";

const read = (text: string): string =>
  readSettings(z.object({ LOG_LEVEL: logLevel.default("info") }), { LOG_LEVEL: text }).LOG_LEVEL;

test.each([
  ["info", "info", "info"],
  ["", "info", "info"],
  ["warn,queue=debug", "warn", "debug"],
  [" queue = trace , error,", "error", "trace"],
  ["http=silent", "info", "info"],
])("LOG_LEVEL %j is %s for all and %s for the queue", (text, all, queue) => {
  const taken = read(text);
  expect([levelOf(taken), levelOf(taken, "queue")]).toEqual([all, queue]);
});

test.each([
  ["loud", "no such level: loud; there are fatal, error, warn"],
  ["info,queue=verbose", "no such level: verbose"],
  ["info,database=debug", "no such area: database; there are http, queue"],
  ["info,debug", "a level for all is there twice"],
  ["queue=info,queue=debug", "queue is there twice"],
  ["queue=", "no such level: "],
])("LOG_LEVEL %j is refused by name: %s", (text, message) => {
  expect(() => read(text)).toThrow(`LOG_LEVEL: ${message}`);
});

test("every fault is told at once", () => {
  expect(() => read("loud,moon=info,queue=no")).toThrow(/loud[^]*moon[^]*no such level: no/u);
});
