import { BulkheadError, type ConfigEntry } from "@bulkhead/client";
import { expect, test } from "vitest";
import { dataOf, faultsOf, type Field, isOnlyWeak, TAKEN_AWAY, typedOf } from "./entry-values.ts";

const field = (name: string, type: Field["type"]): Field => ({ name, type, required: false });
const FIELDS = [
  field("key", "secret"),
  field("url", "url"),
  field("port", "number"),
  field("tls", "boolean"),
];
const ENTRY = {
  data: {
    key: { isSet: true, setAt: "2026-01-01T00:00:00Z", setBy: "key_1", wholeWordsOnly: false },
    url: "https://a.example",
    port: 443,
    tls: true,
  },
} as unknown as ConfigEntry;

test("a form begins with what is shown, and with no secret", () => {
  expect(typedOf(FIELDS, ENTRY)).toEqual({ key: "", url: "https://a.example", port: "443", tls: "true" });
  expect(typedOf(FIELDS, undefined)).toEqual({ key: "", url: "", port: "", tls: "" });
});

test("only what was changed is sent, as its field's kind", () => {
  const typed = typedOf(FIELDS, ENTRY);
  expect(dataOf(FIELDS, typed, ENTRY)).toEqual({});
  expect(dataOf(FIELDS, { ...typed, key: "s3cret", port: "8443", tls: "false" }, ENTRY)).toEqual({
    key: "s3cret",
    port: 8_443,
    tls: false,
  });
  expect(dataOf(FIELDS, { ...typed, url: "", key: TAKEN_AWAY }, ENTRY)).toEqual({ url: null, key: null });
  expect(dataOf(FIELDS, { key: "", url: "", port: "x", tls: "" }, undefined)).toEqual({ port: "x" });
});

const refusedFor = (...errors: { path: string; message: string }[]): BulkheadError =>
  new BulkheadError({
    code: "request.invalid",
    message: "No.",
    status: 400,
    problem: { errors } as never,
  });
const WEAK = {
  path: "data.key",
  message:
    "is short (under 8 characters); it would be covered wherever it stands in a text by chance. Use a stronger one, or say allowWeak: true to have it covered only where it stands as a whole word",
};

test("a weak secret is told from what is wrong, and the fault says what it is in a few words", () => {
  expect(isOnlyWeak(refusedFor(WEAK))).toBe(true);
  expect(isOnlyWeak(refusedFor(WEAK, { path: "data.url", message: "must be a URL" }))).toBe(false);
  expect(isOnlyWeak(refusedFor())).toBe(false);
  expect(isOnlyWeak(null)).toBe(false);
  expect(faultsOf(refusedFor(WEAK))).toEqual({ key: "is short (under 8 characters)" });
});
