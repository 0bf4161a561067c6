import type { FastifyBaseLogger } from "fastify";
import { openScrubbers } from "@bulkhead/scrub";
import { pino } from "pino";
import { expect, test } from "vitest";
import { coveredLines, LateLogger } from "./late-logger.ts";

function opened() {
  const lines: { level: number; msg: string; reqId?: string; traceId?: string }[] = [];
  const real = pino({ level: "trace", base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  let made = 0;
  const parent: FastifyBaseLogger = Object.assign(Object.create(real), {
    child: (...given: Parameters<FastifyBaseLogger["child"]>) => {
      made += 1;
      return real.child(...given);
    },
  });
  return { lines, logger: new LateLogger(parent, { reqId: "req_1" }, {}), made: () => made };
}

test("nothing is made until a line is written, and then once", () => {
  const { lines, logger, made } = opened();
  logger.name({ traceId: "abc" });
  expect(made()).toBe(0);
  logger.error({ err: new Error("x") }, "broke");
  logger.warn("again");
  expect(made()).toBe(1);
  expect(lines).toMatchObject([
    { level: 50, msg: "broke", reqId: "req_1", traceId: "abc", err: { message: "x" } },
    { level: 40, msg: "again", reqId: "req_1", traceId: "abc" },
  ]);
});

test("every level is written as itself, and what is named late is told from then on", () => {
  const { lines, logger } = opened();
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const) logger[level](level);
  logger.silent("nothing");
  logger.name({ traceId: "late" });
  logger.child({ part: "x" }).info("child");
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [10, "trace"],
    [20, "debug"],
    [30, "info"],
    [40, "warn"],
    [50, "error"],
    [60, "fatal"],
    [30, "child"],
  ]);
  expect(lines.at(-1)).toMatchObject({ reqId: "req_1", traceId: "late", part: "x" });
  logger.level = "error";
  expect(logger.level).toBe("error");
});

const TOKEN = "AKIAABCDEFGHIJKLMNOP";

/** The line that a child logger with these serializers writes. */
function lineOf(bindings: object): string {
  let line = "";
  const parent = pino({ level: "info" }, { write: (text: string) => void (line = text) });
  const scrubber = openScrubbers().open({ needles: [], patterns: [] });
  parent.child({ area: "http" }, { serializers: coveredLines(scrubber) }).error(bindings, "said");
  return line;
}

test("an error without a secret is told whole, with its stack", () => {
  const { err } = JSON.parse(lineOf({ err: new Error("plain") }));
  expect(err).toMatchObject({ message: "plain", stack: expect.stringContaining("late-logger.test.ts") });
});

test.each([
  ["its message", { err: new Error(`said ${TOKEN}`) }],
  ["a cause", { err: new Error("outer", { cause: new Error(TOKEN) }) }],
  ["what was said for the log only", { internal: `it was ${TOKEN}` }],
])("a token in %s is covered", (_where, bindings) => {
  const line = lineOf(bindings);
  expect(line).not.toContain(TOKEN);
  expect(line).toContain("[REDACTED]");
});
