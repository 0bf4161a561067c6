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
