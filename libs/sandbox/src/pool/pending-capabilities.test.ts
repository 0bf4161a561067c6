import type { Effect, EffectAnswer, SandboxRun } from "@bulkhead/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CAPABILITY_CONTENT_BYTES_MAX, EFFECT_HEAD_CHARS_MAX, EFFECTS_PENDING_MAX } from "../wire/bounds.ts";
import { WireError } from "../wire/wire-error.ts";
import { PendingEffects } from "./pending-effects.ts";

const HEAD = { kind: "capability", family: "files", operation: "read", argumentsJson: '{"path":"a.md"}' };

const HEADS = {
  kind: fc.constant("capability"),
  family: fc.oneof(fc.constant("files"), fc.string()),
  operation: fc.string(),
  argumentsJson: fc.string(),
};

/** The effects of a run with these families: what reached the worker, and what the guest heard. */
function effectsOf(capabilities?: SandboxRun["capabilities"]) {
  const asked: Effect[] = [];
  const heard: EffectAnswer[] = [];
  const effects = new PendingEffects(
    { network: false, ...(capabilities && { capabilities }) } as SandboxRun,
    {
      onEffect: async (effect) => {
        asked.push(effect);
        return { ok: true, head: "{}", body: "{}", bodyEncoding: "utf8" };
      },
    },
    (_id, answer) => heard.push(answer),
  );
  let id = 0;
  const start = (
    head: unknown,
    body: string | null = null,
    bodyEncoding: "utf8" | "base64" = "utf8",
  ): void => {
    const text = typeof head === "string" ? head : JSON.stringify(head);
    effects.start({
      type: "effect",
      executionId: "exe_1",
      requestId: ++id,
      head: text,
      body,
      bodyEncoding,
    });
  };
  return { asked, heard, start };
}

test("a capability that the run has reaches the worker, with what it writes", () => {
  const { asked, start } = effectsOf(["files"]);
  start({ ...HEAD, operation: "write" }, "AAE=", "base64");
  expect(asked).toEqual([{ ...HEAD, operation: "write", content: "AAE=", contentEncoding: "base64" }]);
});

test.each([
  ["without the permission", undefined, HEAD],
  ["of another family", ["files"], { ...HEAD, family: "shell" }],
  ["of a family that objects inherit", ["files"], { ...HEAD, family: "constructor" }],
  ["of no family", ["files"], { ...HEAD, family: "" }],
])("a guest that asks %s gets nothing, and is no guest where it goes on", (_, families, head) => {
  const { asked, heard, start } = effectsOf(families as SandboxRun["capabilities"]);
  for (let n = 0; n < EFFECTS_PENDING_MAX; n += 1) start(head);
  expect(heard).toHaveLength(EFFECTS_PENDING_MAX);
  expect(new Set(heard.map((answer) => !answer.ok && answer.code))).toEqual(new Set(["capability_denied"]));
  expect(() => start(head)).toThrow(WireError);
  expect(asked).toEqual([]);
});

test.each([
  ["a field more", { ...HEAD, tenantId: "ten_b" }],
  ["a field less", { kind: "capability", family: "files", operation: "read" }],
  ["arguments that are no text", { ...HEAD, argumentsJson: { path: "a" } }],
  ["a family that is no text", { ...HEAD, family: ["files"] }],
  ["an endless family", { ...HEAD, family: "f".repeat(65) }],
  ["an endless operation", { ...HEAD, operation: "o".repeat(65) }],
  ["endless arguments", { ...HEAD, argumentsJson: "a".repeat(EFFECT_HEAD_CHARS_MAX) }],
  ["no JSON", "{"],
])("a frame with %s is answered as a bad request", (_, head) => {
  const { asked, heard, start } = effectsOf(["files"]);
  start(head);
  expect(heard).toMatchObject([{ ok: false, code: "invalid_request" }]);
  expect(asked).toEqual([]);
});

test("content over its bound is refused, whatever it is written in", () => {
  const { asked, heard, start } = effectsOf(["files"]);
  start(HEAD, "x".repeat(CAPABILITY_CONTENT_BYTES_MAX + 1));
  start(HEAD, Buffer.alloc(CAPABILITY_CONTENT_BYTES_MAX + 1).toString("base64"), "base64");
  expect(heard.map((answer) => !answer.ok && answer.code)).toEqual(["invalid_request", "invalid_request"]);
  start(HEAD, "x".repeat(CAPABILITY_CONTENT_BYTES_MAX));
  expect(asked).toHaveLength(1);
});

test("whatever a guest sends, the worker is asked for nothing that the run doesn't have", () => {
  const part = fc.oneof(fc.jsonValue(), fc.constantFrom("capability", "files", "read", "{}"));
  const field = fc.constantFrom("kind", "family", "operation", "argumentsJson", "path");
  const head = fc.oneof(fc.dictionary(field, part), fc.record(HEADS), fc.jsonValue());
  fc.assert(
    fc.property(head, fc.option(fc.string(), { nil: null }), (sent, body) => {
      const { asked, start } = effectsOf();
      start(JSON.stringify(sent), body);
      expect(asked.filter(({ kind }) => kind === "capability")).toEqual([]);
    }),
  );
});
