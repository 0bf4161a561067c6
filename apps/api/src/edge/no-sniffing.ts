import type { Server } from "node:http";

/** A browser takes an answer for what its `Content-Type` says and looks for no script in it (Fetch standard, 3.6). */
export const NO_SNIFFING = ["X-Content-Type-Options", "nosniff"] as const;

/** Puts it on every answer of the server, also those that no hook sees. What is no request is answered elsewhere. */
export function forbidSniffing(server: Server): void {
  // Before the framework's own listener, which may answer at once.
  server.prependListener("request", (_request, response) => response.setHeader(...NO_SNIFFING));
}
