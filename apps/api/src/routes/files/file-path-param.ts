import type { FastifyRequest } from "fastify";
import { invalidField } from "../../edge/validate.ts";

const ROUTE = "/api/v1/files/";

/**
 * Takes the path of a file out of the request's own, decoded exactly once: a slash may be written as one or as `%2F`. The
 * router's reading of it is not used, so that nothing rests on what it decodes.
 */
export async function readPathParam(request: FastifyRequest): Promise<void> {
  const [written = ""] = (request.raw.url ?? "").split("?", 1);
  request.params = { path: decode(written.slice(ROUTE.length)) };
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    throw invalidField("path", "must be percent-encoded UTF-8", "The path is not valid: it");
  }
}
