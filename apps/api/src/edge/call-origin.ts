import { CLIENT_CHARS_MAX } from "@bulkhead/core";
import type { FastifyRequest } from "fastify";
import { tracePlaceOf } from "./trace-id.ts";

/** Reads what a request says of itself about the calls that it makes. */
export const callOriginOf = (request: FastifyRequest) => ({
  ...tracePlaceOf(request),
  client: clientOf(request.headers["user-agent"]),
});

/** The beginning of the name that a caller's program gives itself, in one line; null where it gives none. */
export function clientOf(said: string | undefined): string | null {
  const shown = said?.replaceAll(/\p{C}/gu, "").trim().slice(0, CLIENT_CHARS_MAX).toWellFormed().trim();
  return shown || null;
}
