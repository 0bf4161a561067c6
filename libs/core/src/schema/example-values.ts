import { multipleNear } from "../json/decimal.ts";
import { withExclusiveBounds } from "./exclusive-bounds.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** Characters of one text that is made. */
const TEXT_CHARS_MAX = 1_000;

const TEXTS: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "someone@example.com",
  "idn-email": "someone@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "https://example.com/",
  iri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/example",
  "relative-json-pointer": "0",
  "uri-template": "https://example.com/{id}",
  "iri-reference": "https://example.com/",
  byte: "ZXhhbXBsZQ==",
  regex: "^example$",
};
const PLAIN_TEXT = "example";

/** A text of the schema's format, else a plain one as long as it wants. */
export function exampleText({ format, minLength, maxLength }: JsonObject): string {
  const known = typeof format === "string" && Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined;
  if (known !== undefined) return known;
  const least = isNumber(minLength) ? Math.min(minLength, TEXT_CHARS_MAX) : 0;
  const text = PLAIN_TEXT.repeat(Math.max(1, Math.ceil(least / PLAIN_TEXT.length)));
  return text.slice(
    0,
    Math.max(least, Math.min(PLAIN_TEXT.length, isNumber(maxLength) ? maxLength : Infinity)),
  );
}

/** The number nearest to one within the schema's bounds and of its step. */
export function exampleNumber(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = withExclusiveBounds(schema);
  const step = isNumber(multipleOf) && multipleOf > 0 ? multipleOf : 1;
  const over = isNumber(exclusiveMinimum) ? multipleNear(exclusiveMinimum + step, step, "below") : -Infinity;
  const under = isNumber(exclusiveMaximum) ? multipleNear(exclusiveMaximum - step, step, "above") : Infinity;
  const least = given(Math.max(isNumber(minimum) ? minimum : -Infinity, over));
  const most = given(Math.min(isNumber(maximum) ? maximum : Infinity, under));
  const wanted = least !== undefined ? Math.max(least, 1) : most !== undefined ? Math.min(most, 1) : 1;
  const stepped = multipleNear(wanted, step, "above");
  return most !== undefined && stepped > most ? multipleNear(most, step, "below") : stepped;
}

/** Another one of its kind, for lists without repeats. */
export function varied(value: Json, nth: number, { enum: values, multipleOf, maxLength }: JsonObject): Json {
  if (nth === 0) return value;
  if (Array.isArray(values)) return values[nth % values.length] ?? value;
  if (typeof value === "number") return value + nth * (isNumber(multipleOf) ? multipleOf : 1);
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return value;
  const mark = String(nth);
  const room = isNumber(maxLength) ? Math.max(0, maxLength - mark.length) : Infinity;
  return value.slice(0, room) + mark;
}

const given = (bound: number): number | undefined => (Number.isFinite(bound) ? bound : undefined);
const isNumber = (value: Json | undefined): value is number => typeof value === "number";
