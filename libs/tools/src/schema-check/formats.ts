import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { FORMAT_CHARS_MAX } from "./bounds.ts";
import { compilePattern } from "./pattern.ts";

// Their expressions are anchored and free of ambiguous repetition: each reads a string a small, fixed number of times.
const TAKEN = [
  "date",
  "time",
  "date-time",
  "duration",
  "uri",
  "uri-reference",
  "uri-template",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
  "json-pointer",
  "relative-json-pointer",
] as const;

/**
 * The formats that are checked; others are annotations, as the drafts say. Every check is linear in its string, and
 * a string of more than `FORMAT_CHARS_MAX` characters matches none, except base64.
 */
export function buildFormats(): Record<string, Format> {
  const formats: Record<string, Format> = {
    // A regular expression of ours would read a URL in quadratic time.
    url: bounded((text) => /^(?:https?|ftp):\/\//i.test(text) && URL.canParse(text)),
    regex: bounded(isPattern),
    byte: (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    int32: {
      type: "number",
      validate: (value) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31,
    },
    int64: { type: "number", validate: (value) => Number.isInteger(value) },
  };
  for (const name of TAKEN) formats[name] = bounded(readCheck(fullFormats[name]));
  return formats;
}

function bounded(check: (text: string) => boolean): (text: string) => boolean {
  return (text) => text.length <= FORMAT_CHARS_MAX && check(text);
}

function readCheck(format: (typeof fullFormats)[(typeof TAKEN)[number]]): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text);
  const check = typeof format === "object" && "validate" in format ? format.validate : format;
  if (check instanceof RegExp) return (text) => check.test(text);
  if (typeof check === "function") return (text) => Boolean(Reflect.apply(check, undefined, [text]));
  throw new TypeError("the library's format has another shape than expected");
}

function isPattern(text: string): boolean {
  return compilePattern(text).outcome === "compiled";
}
