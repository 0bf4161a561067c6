import { BODY_DEPTH_MAX, BODY_PARTS_MAX, pathOf } from "@bulkhead/contracts";
import { Fault, JsonParts } from "@bulkhead/core";
import { isUtf8 } from "node:buffer";
import { invalidField } from "./validate.ts";
import { inexactNumbersIn, NO_CALLS, type InexactCalls } from "./inexact-body.ts";

/**
 * Parses a body; an empty one is undefined. Throws `request.malformed_json`, and `request.invalid` for what no body may hold.
 * No number is rounded unheard: one that would be is `execution.arguments_inexact` in the arguments of a call and
 * `request.invalid` elsewhere, schemas left out. Of a batch's calls each answers for itself.
 */
export const parseJsonBody = (sent: Buffer): ParsedBody =>
  sent.length === 0 ? { body: undefined, inexactCalls: NO_CALLS, parts: 0 } : parseText(decode(sent), sent);

interface ParsedBody {
  body: unknown;
  inexactCalls: InexactCalls;
  /** Its names, objects and lists. */
  parts: number;
}

/** Parses a text that came in a body likewise. */
export const parseJsonText = (text: string): unknown => parseText(text, Buffer.from(text)).body;

function parseText(text: string, bytes: Uint8Array): ParsedBody {
  const parts = new JsonParts();
  parts.take(bytes);
  requireParts(parts.count, BODY_PARTS_MAX);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? unquoted(cause.message) : "it can't be parsed";
    const detail = `The body is not valid JSON: ${message}.`;
    throw new Fault("request.malformed_json", {
      detail,
      errors: [{ path: "", message: "is not valid JSON" }],
      cause,
    });
  }
  const offence = findOffence(body);
  if (offence) {
    const { path, message } = offence;
    const where = path === "" ? "The body" : `The body is not valid: ${path}`;
    throw invalidField(path, message, where);
  }
  return { body, inexactCalls: inexactNumbersIn(text), parts: parts.count };
}

/** Throws `request.invalid` for a body of more names, objects and lists than that. */
export function requireParts(parts: number, max: number): void {
  if (parts > max) throw invalidField("", `has more than ${max} names, objects and lists`, "The body");
}

/** A decoder would put U+FFFD for what is no UTF-8, and the caller would never hear of it. */
function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new Fault("request.malformed_json", {
    detail: "The body is not valid UTF-8; JSON travels in no other encoding.",
    errors: [{ path: "", message: "is not valid UTF-8" }],
  });
}

/** Without what V8 quotes of the text: a secret may be in it. */
const unquoted = (message: string): string => message.replace(/, (?:\.\.\.)?".*$/su, "");

/** A container, and where among the values of which other it stands: names cost nothing until one has to be told. */
interface Place {
  node: object;
  at: number;
  within: Place | null;
}

/** Walks level by level, without recursion: what arrives may nest a million levels deep. */
function findOffence(body: unknown): { path: string; message: string } | null {
  // Fastify has null where no body came: a body that is null would pass for none.
  if (body === null) return { path: "", message: "must not be null" };
  let level: Place[] = isContainer(body) ? [{ node: body, at: 0, within: null }] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (first && depth > BODY_DEPTH_MAX) {
      return { path: pathTo(first), message: `nests deeper than ${BODY_DEPTH_MAX} levels` };
    }
    const below: Place[] = [];
    for (const place of level) {
      const poison = poisonIn(place.node);
      if (poison) return { path: pathTo(place, poison), message: "is no name that a field may have" };
      const endless = lookWithin(place, below);
      if (endless !== null)
        return { path: pathTo(place, [endless]), message: "is a number beyond what JSON's readers can hold" };
    }
    level = below;
  }
  return null;
}

/**
 * Adds what can hold more to `below`. Answers the name of what was written as a number, is Infinity by now, and would be passed on as
 * null. Of an object of many fields its names come three times sooner than its values.
 */
function lookWithin(place: Place, below: Place[]): string | null {
  const holder = place.node as Record<string, unknown>;
  const names = Array.isArray(holder) ? null : Object.keys(holder);
  const count = names === null ? (holder["length"] as number) : names.length;
  for (let at = 0; at < count; at += 1) {
    const node = holder[names === null ? at : (names[at] as string)];
    if (isContainer(node)) below.push({ node, at, within: place });
    else if (node === Infinity || node === -Infinity) return names === null ? String(at) : (names[at] ?? "");
  }
  return null;
}

/** Names by which careless code that copies fields would change what all objects are. */
function poisonIn(node: object): string[] | null {
  if (Object.hasOwn(node, "__proto__")) return ["__proto__"];
  const constructor: unknown = Object.hasOwn(node, "constructor") && node.constructor;
  return isContainer(constructor) && Object.hasOwn(constructor, "prototype")
    ? ["constructor", "prototype"]
    : null;
}

function pathTo(place: Place, more: readonly string[] = []): string {
  const names = [...more];
  for (let { at, within } = place; within; { at, within } = within) {
    names.unshift(Object.keys(within.node)[at] ?? "");
  }
  return pathOf(names);
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
