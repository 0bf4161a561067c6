import { Fault, JsonText, type Execution, type Json } from "@bulkhead/core";
import { expect, test } from "vitest";
import { refusalOf, resultOf } from "./present-call.ts";

const content = (...parts: Json[]) => ({ $bulkhead: "content", content: parts });
const IMAGE = { type: "image", data: "iVBORw==", mimeType: "image/png" };
const CATS = { type: "json", json: { cats: 2 } };
const toldOf = (result: Execution["result"], hasSchema = false) => {
  const ended = { executionId: "exe_1", status: "succeeded", error: null, result } as unknown as Execution;
  const { _meta, ...told } = resultOf(ended, hasSchema, null);
  return told;
};

test("a result of data is a text, and data where the tool has a schema", () => {
  expect(toldOf({ a: 1 })).toEqual({ content: [{ type: "text", text: '{"a":1}' }] });
  expect(toldOf({ a: 1 }, true).structuredContent).toEqual({ a: 1 });
  expect(toldOf([1], true)).toEqual({ content: [{ type: "text", text: "[1]" }] });
  expect(toldOf(null)).toEqual({ content: [{ type: "text", text: "null" }] });
});

test("parts of content are parts, values among them as text", () => {
  const text = { type: "text", text: '{"cats":2}' };
  expect(toldOf(content(IMAGE, CATS))).toEqual({ content: [IMAGE, text] });
  expect(toldOf(content(IMAGE, CATS), true)).toEqual({
    content: [IMAGE, text],
    structuredContent: { cats: 2 },
  });
  expect(toldOf(content(IMAGE), true)).toEqual({ content: [IMAGE] });
  const structured = { ...content(IMAGE), structuredContent: { a: 1 } };
  expect(toldOf(structured, true)).toEqual({ content: [IMAGE], structuredContent: { a: 1 } });
});

test("what has lost the form of content is told as a text", () => {
  const covered = content({ ...IMAGE, data: "[REDACTED]" });
  expect(toldOf(covered)).toEqual({ content: [{ type: "text", text: JSON.stringify(covered) }] });
});

test("of an output the model gets what is for it, however large the rest is", () => {
  const output = { $bulkhead: "output", forLLM: content(IMAGE), forUser: "x".repeat(100_000) };
  expect(toldOf(output)).toEqual({ content: [IMAGE] });
  expect(toldOf(new JsonText(JSON.stringify(output)))).toEqual({ content: [IMAGE] });
});

test("a refusal tells each place once, also one that its sentence has told already", () => {
  const fault = new Fault("tool.arguments_invalid", {
    detail: "arguments.text: is required.",
    errors: [
      { path: "arguments.text", message: "is required" },
      { path: "arguments.n", message: "must be a number" },
    ],
  });
  const text = "tool.arguments_invalid: arguments.text: is required.\narguments.n: must be a number";
  expect(refusalOf(fault)).toMatchObject({ isError: true, content: [{ type: "text", text }] });
});
