import { expect, test } from "vitest";
import { traceLink, traceTemplateFault } from "./trace-link.ts";

test("a trace's id goes into the template, and can't leave its place", () => {
  expect(traceLink("https://t.example/trace/{traceId}?x=1", "ab12")).toBe("https://t.example/trace/ab12?x=1");
  expect(traceLink("https://t.example/{traceId}", "../a?b#c")).toBe("https://t.example/..%2Fa%3Fb%23c");
});

test.each([
  "",
  "https://t.example/",
  "{traceId}",
  "javascript:alert('{traceId}')",
  "data:text/html,{traceId}",
])("%j gives no link, and says why", (template) => {
  expect(traceLink(template, "ab12")).toBeNull();
  expect(traceTemplateFault(template)).toEqual(expect.any(String));
});

test("a template that is one has no fault, and one that is too long has", () => {
  expect(traceTemplateFault("http://localhost:16686/trace/{traceId}")).toBeNull();
  expect(traceTemplateFault(`https://t.example/${"x".repeat(500)}{traceId}`)).toMatch(/more than 500/);
});
