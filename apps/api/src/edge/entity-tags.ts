import { IfMatchHeader, IfNoneMatchHeader } from "@bulkhead/contracts";
import type { Tool } from "@bulkhead/core";
import { stateTag, type SeenAs } from "@bulkhead/tools";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { invalidField } from "./validate.ts";

export const IfMatch = z.looseObject({ "if-match": IfMatchHeader });
export const IfNoneMatch = z.looseObject({ "if-none-match": IfNoneMatchHeader });

/** RFC 9110, 8.8.3: a quoted tag, with `W/` before it where it is weak. */
const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;

/** Puts the tag of the tool's state on the answer: strong, and without regard to the counts of usage. */
export function tagAnswer(reply: FastifyReply, tool: Tool): void {
  void reply.header("etag", `"${stateTag(tool)}"`);
}

/** The states that `If-Match` names; weak tags match none. Throws `request.invalid` for what is no list of tags. */
export function readIfMatch(header: string | undefined): SeenAs {
  if (header === undefined || header.trim() === "*") return null;
  return readTags("if-match", header)
    .filter(({ weak }) => !weak)
    .map(({ tag }) => tag);
}

/** Whether the caller has the tool as it is. Throws `request.invalid` for what is no list of tags. */
export function isKnown(header: string | undefined, tool: Tool): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return readTags("if-none-match", header).some(({ tag }) => tag === stateTag(tool));
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
