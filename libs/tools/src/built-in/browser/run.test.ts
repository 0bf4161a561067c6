import type { AskCapability, JsonObject, ProvidedCall } from "@bulkhead/core";
import { expect, test } from "vitest";
import { runBrowserTool } from "./run.ts";

test.each([
  [
    { action: "screenshot", saveAs: "a.JPG" },
    { action: "screenshot", format: "jpeg", saves: true },
  ],
  [
    { action: "screenshot", format: "png", saveAs: "a.jpg" },
    { action: "screenshot", format: "png", saves: true },
  ],
  [
    { action: "screenshot", saveAs: "a.png" },
    { action: "screenshot", saves: true },
  ],
  [
    { action: "pdf", saveAs: "a.pdf" },
    { action: "pdf", saves: true },
  ],
])("a file's name says the format of a picture that says none: %j", async (args: JsonObject, asked) => {
  const heard: unknown[][] = [];
  const ask: AskCapability = (family, operation, what) => {
    heard.push([family, operation, what]);
    return Promise.resolve({ ok: true, value: {}, content: Buffer.from("bytes") });
  };
  const call = { ask, signal: new AbortController().signal } as unknown as ProvidedCall;
  expect(await runBrowserTool.browser(args, call)).toMatchObject({ ok: true });
  expect(heard).toEqual([
    ["browser", "act", asked],
    ["files", "write", { path: args["saveAs"] }],
  ]);
});

test("a text is covered as a whole before a part of it is cut, and goes on where the part ends", async () => {
  const heard: unknown[] = [];
  const ask: AskCapability = (_family, _operation, what) => {
    heard.push(what);
    return Promise.resolve({ ok: true, value: { page: "p1", text: "ab[REDACTED]c\u{1f600}d" } });
  };
  const call = { ask, signal: new AbortController().signal } as unknown as ProvidedCall;
  const part = async (args: JsonObject) => {
    const answer = await runBrowserTool.browser({ action: "text", ...args }, call);
    return answer.ok ? answer.value : answer;
  };
  const whole = { page: "p1", totalChars: 16 };
  expect(await part({})).toEqual({ ...whole, text: "ab[REDACTED]c\u{1f600}d", startChar: 0 });
  expect(await part({ maxChars: 4 })).toEqual({ ...whole, text: "ab[R", startChar: 0, nextChar: 4 });
  expect(await part({ startChar: 12, maxChars: 2 })).toEqual({
    ...whole,
    text: "c",
    startChar: 12,
    nextChar: 13,
  });
  expect(await part({ startChar: 99 })).toEqual({ ...whole, text: "", startChar: 99 });
  expect(heard).toHaveLength(4);
});
