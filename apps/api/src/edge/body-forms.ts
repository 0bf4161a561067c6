import type { FastifyContextConfig } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Media types other than JSON in which the route takes its body, which a parser of its own makes the same of: bytes. */
    bodyForms?: readonly string[];
    /** The body is bytes of any media type, and no JSON. */
    takesBytes?: boolean;
  }
}

const BYTES = "application/octet-stream";
const binary = { schema: { type: "string", format: "binary" } };

/** A body of the reference, in every form in which it may come. */
export function inAllForms(body: object | undefined, config: FastifyContextConfig = {}) {
  const { bodyForms = [], takesBytes = false } = config;
  if (body !== undefined && takesBytes) return { content: { [BYTES]: binary } };
  if (body === undefined || bodyForms.length === 0) return body;
  const forms = bodyForms.map((form) => [form, binary] as const);
  return { content: { "application/json": { schema: body }, ...Object.fromEntries(forms) } };
}
