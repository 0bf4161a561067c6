import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";

const LOOK_EVERY_MS = 50;

/** Takes nothing new; what waits for a result may get it, within the grace. */
export async function closeGently(server: Server, graceMs: number): Promise<void> {
  server.close();
  server.closeIdleConnections();
  const deadline = Date.now() + graceMs;
  const open = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  while (Date.now() < deadline && (await open()) > 0) await setTimeout(LOOK_EVERY_MS);
}
