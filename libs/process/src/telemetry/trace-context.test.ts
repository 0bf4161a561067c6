import { expect, test } from "vitest";
import { readTraceparent, writeTraceparent } from "./trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

test("what is written is read again", () => {
  for (const sampled of [true, false]) {
    const place = { traceId: TRACE, spanId: SPAN, sampled };
    expect(readTraceparent(writeTraceparent(place))).toEqual(place);
  }
});

test.each([
  ["a later version that says more", `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
  ["flags of which only the first is known", `00-${TRACE}-${SPAN}-ff`, true],
  ["other flags alone", `00-${TRACE}-${SPAN}-fe`, false],
])("%s is read", (_what, text, sampled) => {
  expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
});

test.each([
  ["nothing", undefined],
  ["two headers", [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`]],
  ["an empty text", ""],
  ["no flags", `00-${TRACE}-${SPAN}`],
  ["more in version 00", `00-${TRACE}-${SPAN}-01-x`],
  ["the forbidden version", `ff-${TRACE}-${SPAN}-01`],
  ["a trace of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
  ["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ["spaces around", ` 00-${TRACE}-${SPAN}-01 `],
  ["a line end", `00-${TRACE}-${SPAN}-01\n`],
  ["a later version without its separator", `cc-${TRACE}-${SPAN}-01x`],
  ["more than anybody needs", `cc-${TRACE}-${SPAN}-01-${"x".repeat(1_000)}`],
])("%s is ignored", (_what, text) => {
  expect(readTraceparent(text)).toBeNull();
});
