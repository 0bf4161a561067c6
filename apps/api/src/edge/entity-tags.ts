import {
  IfMatchHeader,
  IfNoneMatchHeader,
  PutIfMatchHeader,
  PutIfNoneMatchHeader,
} from "@bulkhead/contracts";
import type { Tool } from "@bulkhead/core";
import { stateTag, type PutCondition, type SeenAs } from "@bulkhead/tools";
import type { FastifyReply } from "fastify";
import { createHash } from "node:crypto";
import { z } from "zod";
import { invalidField } from "./validate.ts";

export const IfMatch = z.looseObject({ "if-match": IfMatchHeader });
export const PutIf = z.looseObject({ "if-match": PutIfMatchHeader, "if-none-match": PutIfNoneMatchHeader });
type PutHeaders = z.infer<typeof PutIf>;
export const IfNoneMatch = z.looseObject({ "if-none-match": IfNoneMatchHeader });

/** RFC 9110, 8.8.3: a quoted tag, with `W/` before it where it is weak. */
const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;

/**
 * Puts the tag of the tool as it is shown on the answer, strong, and gives it: the state, which is what `If-Match` asks for,
 * then a digest of all that is shown, which is another also when it was used or a service of its was filled in. Warnings are
 * words about one request, not about the tool.
 */
export function tagAnswer(
  reply: FastifyReply,
  tool: Tool,
  shown: { warnings?: string[] | undefined },
): string {
  const body = JSON.stringify({ ...shown, warnings: undefined });
  const tag = `${stateTag(tool)}.${createHash("sha256").update(body).digest("base64url")}`;
  void reply.header("etag", `"${tag}"`);
  return tag;
}

/** The states that `If-Match` names; weak tags match none. Throws `request.invalid` for what is no list of tags. */
export function readIfMatch(header: string | undefined): SeenAs {
  if (header === undefined || header.trim() === "*") return null;
  return readTags("if-match", header)
    .filter(({ weak }) => !weak)
    .map(({ tag }) => tag);
}

/** What a PUT finds there by its headers. Throws `request.invalid` for what is no list of tags, and for both headers at once. */
export function readPutCondition(headers: PutHeaders): PutCondition {
  const { "if-match": match, "if-none-match": none } = headers;
  if (none === undefined) return { exists: match === undefined ? null : true, tags: readIfMatch(match) };
  if (none.trim() !== "*") throw invalidField("if-none-match", 'must be "*"', "The header if-none-match");
  if (match !== undefined)
    throw invalidField("if-none-match", "can't be there beside if-match", "The header if-none-match");
  return { exists: false, tags: null };
}

/** Whether `If-None-Match` names this tag, or anything. Throws `request.invalid` for what is no list of tags. */
export function hasTag(header: string | undefined, known: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return readTags("if-none-match", header).some(({ tag }) => tag === known);
}

function readTags(name: string, header: string): { tag: string; weak: boolean }[] {
  if (!TAGS.test(header)) {
    const message = 'must be "*", or ETags in double quotes with commas between them';
    throw invalidField(name, message, `The header ${name}`);
  }
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, tag = ""]) => ({
    tag,
    weak: weak !== undefined,
  }));
}
