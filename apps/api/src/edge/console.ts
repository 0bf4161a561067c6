import fastifyStatic from "@fastify/static";
import { CONSOLE_FILES } from "@bulkhead/console/files";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ApiScope } from "./route-schema.ts";

const PREFIX = "/console/";

/** The page runs scripts and takes styles of this host alone, asks this host alone, and stands in no other page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
} as const;

/** Whether the console was built, as every install does. */
export const hasConsole = (): boolean => existsSync(join(CONSOLE_FILES, "index.html"));

/** Serves the web console's page under every address of its own, and its files, compressed as they were at install. */
export async function serveConsole(app: ApiScope): Promise<void> {
  if (!hasConsole()) return;
  app.get("/console", { schema: { hide: true } }, (_request, reply) => reply.redirect(PREFIX, 308));
  await app.register(async (scope) => {
    scope.addHook("onRequest", (_request, reply, done) => {
      void reply.headers(HEADERS);
      done();
    });
    await scope.register(fastifyStatic, {
      root: CONSOLE_FILES,
      prefix: `${PREFIX}assets/`,
      serve: false,
      preCompressed: true,
    });
    const page = { schema: { hide: true } };
    scope.get(`${PREFIX}assets/:name`, page, (request, reply) => {
      const { name } = request.params as { name: string };
      // Its name holds the hash of what is in it.
      return reply.sendFile(`assets/${name}`, { immutable: true, maxAge: "365d" });
    });
    scope.get(`${PREFIX}*`, page, (_request, reply) => reply.sendFile("index.html", { maxAge: 0 }));
  });
}
