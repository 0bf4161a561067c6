import { BeginSession, CreatedLoginCode, CreateLoginCode } from "@bulkhead/contracts";
import { beginSession, createLoginCode, type SessionDeps, type SessionStart } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { takeRequest, type RateLimitDeps } from "../../edge/rate-limit.ts";
import { answers, noContent, type ApiScope } from "../../edge/route-schema.ts";
import { requireOwnOrigin, requireOwnPage, sessionOf, setSession } from "../../edge/session-cookie.ts";

export interface SessionRouteDeps {
  access: SessionDeps;
  rateLimit: RateLimitDeps;
}

const tags = ["access"];

/** A browser exchanges a key for a cookie that its scripts can't read. No key stands in a header, so no hook knows who asks. */
export function sessionRoutes(app: ApiScope, { access, rateLimit }: SessionRouteDeps): void {
  app.post(
    "/session",
    {
      schema: {
        tags,
        security: [],
        summary: "Exchange a key, or a login code, for the cookie of a browser's session",
        description:
          "For keys with the role admin, owner, developer, agent or viewer, in the body, or with a code that one of them made. The cookie `bulkhead_session` is good for 12 hours, and ends with the secret that it was begun with. With it, every request but GET and HEAD also needs the header `X-Bulkhead-Session: 1` and an `Origin` of this host, else 403 `session.forgery`. A key in the header `Authorization` goes before the cookie.",
        body: BeginSession,
        response: { ...answers({}), 204: noContent("The session has begun; `Set-Cookie` holds it.") },
      },
    },
    async (request, reply) => {
      // Another site's page could else have a browser go on under a key of its choice.
      if (request.headers.origin !== undefined) requireOwnOrigin(request);
      const { principal, ...session } = await beginSession(access, request.body as SessionStart);
      await takeRequest(rateLimit, principal, reply);
      setSession(request, reply, session);
      return reply.status(204).header("cache-control", "no-store").send();
    },
  );

  app.post(
    "/session/codes",
    {
      schema: {
        tags,
        security: [],
        summary: "Make a code that logs a browser in, once",
        description:
          "For keys with the role admin, owner, developer, agent or viewer, in the body, of programs that open the console for a person. The code is good for ten minutes and one `POST /session`; its session ends with the key's secret. Behind `#` of the console's address it reaches no server's log: `/console/#code=<code>`.",
        body: CreateLoginCode,
        response: answers({ 201: CreatedLoginCode }),
      },
    },
    async (request, reply) => {
      if (request.headers.origin !== undefined) requireOwnOrigin(request);
      const { principal, code, expiresAt } = await createLoginCode(access, request.body.key);
      await takeRequest(rateLimit, principal, reply);
      const created = { code, expiresAt: expiresAt.toISOString() };
      return reply.status(201).header("cache-control", "no-store").send(ok(request, created));
    },
  );

  app.delete(
    "/session",
    {
      schema: {
        tags,
        security: [],
        summary: "End the browser's session",
        description:
          "For keys with the role admin, owner, developer, agent or viewer, and for browsers without a session, too. The cookie is taken away; the key stays as it is.",
        response: { ...answers({}), 204: noContent("There is no session any more; `Set-Cookie` clears it.") },
      },
    },
    async (request, reply) => {
      if (sessionOf(request.headers.cookie) !== undefined) requireOwnPage(request);
      setSession(request, reply, null);
      return reply.status(204).send();
    },
  );
}
