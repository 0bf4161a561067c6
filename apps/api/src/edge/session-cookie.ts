import { Fault } from "@bulkhead/core";
import type { FastifyReply, FastifyRequest } from "fastify";

export const SESSION_COOKIE = "bulkhead_session";
/** Scripts don't see it, and other sites' pages don't have it sent. */
const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";
const COOKIE = new RegExp(`(?:^|; *)${SESSION_COOKIE}=([^;]*)`);

/** The session that a `Cookie` header holds. */
export const sessionOf = (cookie: string | undefined): string | undefined => COOKIE.exec(cookie ?? "")?.[1];

/** A page that came by https gets it back by https alone. Its browser says so; no proxy has to be believed. */
const secureOf = ({ headers }: FastifyRequest): string =>
  headers.origin?.startsWith("https://") ? "; Secure" : "";

/** Hands the session to the browser until then; with null it is taken away. */
export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  kept: { session: string; goodUntil: Date } | null,
): void {
  const maxAge = kept ? Math.ceil((kept.goodUntil.getTime() - Date.now()) / 1_000) : 0;
  const cookie = `${SESSION_COOKIE}=${kept?.session ?? ""}; Max-Age=${maxAge}; ${ATTRIBUTES}${secureOf(request)}`;
  void reply.header("set-cookie", cookie);
}

/** Throws `session.forgery` unless a page of this host has sent the request, with the header that forms and images can't set. */
export function requireOwnPage(request: FastifyRequest): void {
  if (request.headers["x-bulkhead-session"] !== "1")
    throw new Fault("session.forgery", {
      detail: "With a session, a request that changes something needs the header `X-Bulkhead-Session: 1`.",
    });
  requireOwnOrigin(request);
}

/** Throws `session.forgery` unless `Origin` is of the host that was asked. */
export function requireOwnOrigin({ headers }: FastifyRequest): void {
  const { origin = "", host = "" } = headers;
  if (hostOf(origin) !== null && hostOf(origin) === hostOf(`${schemeOf(origin)}://${host}`)) return;
  throw new Fault("session.forgery", {
    detail:
      "With a session, a request that changes something needs an `Origin` of the host that it asks; a proxy in between must pass `Host` on.",
  });
}

const schemeOf = (origin: string): string => origin.split("://", 1)[0] ?? "";

/** With the port, unless it is the scheme's own. */
const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host || null : null);
