import type { FastifyInstance } from "fastify";

/**
 * A path with nothing where a route has an id or a name (`/custom-tools/`) is answered as any other that no route has. Put it
 * before authentication, which those paths don't meet either. Needs `useProblems`.
 */
export function missEmptyParams(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const params = Object.values(request.params as Record<string, string>);
    if (params.includes("")) reply.callNotFound();
    else done();
  });
}
