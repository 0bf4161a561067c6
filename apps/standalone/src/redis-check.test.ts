import { expect, test } from "vitest";
import { requireRedis } from "./redis-check.ts";

test("who is told to stop while Redis is awaited stops at once", async () => {
  const stopping = new AbortController();
  // Nobody listens there.
  const waiting = requireRedis("redis://127.0.0.1:1", () => stopping.abort(), stopping.signal);
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});
