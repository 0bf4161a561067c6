import { completeArguments, type JsonObject } from "@bulkhead/core";
import { META_TOOL_DEFINITIONS } from "@bulkhead/agents";
import type { FastifyRequest } from "fastify";
import assert from "node:assert/strict";

/** Reads a meta-tool's arguments as agents mean them: null is left out, where it is an optional one that takes no null. */
export function readNullsAsAbsent(name: string): (request: FastifyRequest) => Promise<void> {
  const schema = META_TOOL_DEFINITIONS.find((definition) => definition.name === name)?.parameters;
  assert(schema, `there is no meta-tool ${name}`);
  return async (request) => {
    const { body } = request;
    if (typeof body !== "object" || body === null || Array.isArray(body)) return;
    const completed = completeArguments(schema, body as JsonObject, {
      defaults: false,
      nullsAreAbsent: true,
    });
    // A body that is too large to be read so is left to the check of the body.
    if ("arguments" in completed) request.body = completed.arguments;
  };
}
