import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Effect } from "../history/history.ts";

/** What tools do outside, as seen from there. */
export interface EffectServer {
  /** Tools append `?execution=…&step=…`. */
  readonly url: string;
  readonly seen: readonly Effect[];
  close(): Promise<void>;
}

/** On a free port of 127.0.0.1. */
export async function openEffectServer(): Promise<EffectServer> {
  const seen: Effect[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://here");
    const [executionId, step] = [searchParams.get("execution") ?? "", searchParams.get("step") ?? ""];
    seen.push({ executionId, step, at: performance.now() });
    response.end("noted");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
