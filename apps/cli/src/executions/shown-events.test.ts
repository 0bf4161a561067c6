import type { ExecutionEvent } from "@bulkhead/client";
import { expect, test } from "vitest";
import { shownEvent } from "./shown-events.ts";

const at = { executionId: "exe_1", attempt: 1, at: "2026-05-01T12:00:00.000Z" };
const shown = (event: string, data: object) =>
  shownEvent({ event, id: "1-1", data: { ...at, ...data } } as unknown as ExecutionEvent);

test.each([
  ["a line of the log", "execution.log", { level: "info", text: "hello" }, "hello", undefined],
  ["a warning", "execution.log", { level: "warn", text: "careful" }, "careful", "yellow"],
  ["a value that was emitted", "execution.progress", { value: { done: 1 } }, '· {"done":1}', "cyan"],
  ["a text that was emitted", "execution.progress", { value: "half" }, "· half", "cyan"],
  [
    "another try",
    "execution.retrying",
    { error: { code: "tool.threw", message: "a\nb" }, delayMs: 1_500 },
    "↻ tried again in 1.5 s after tool.threw: a\\nb",
    "yellow",
  ],
])("%s is told", (_what, event, data, text, format) => {
  expect(shown(event, data)).toEqual({ text, format });
});

test("a call that waits says how it is allowed", () => {
  const told = shown("execution.awaiting_approval", {
    approvalId: "apr_1",
    expiresAt: "2026-05-01T12:02:00.000Z",
  });
  expect(told?.text).toContain("bulkhead approvals allow apr_1");
});

test("what people need not know is left out", () => {
  for (const event of ["queued", "started", "succeeded"]) expect(shown(`execution.${event}`, {})).toBeNull();
});
