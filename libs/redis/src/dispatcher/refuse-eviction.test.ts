import { expect, test } from "vitest";
import { refuseEviction } from "./refuse-eviction.ts";

const KEEPS = "used_memory:1\r\nmaxmemory_policy:noeviction\r\n";
const saying = (text: string) => ({ info: () => Promise.resolve(text) });

test("a Redis that keeps its keys is taken", async () => {
  await refuseEviction([saying(KEEPS)]);
});

test.each(["maxmemory_policy:allkeys-lfu\r\n", "used_memory:1\r\n"])(
  "one that says %j is refused",
  async (text) => {
    await expect(refuseEviction([saying(text)])).rejects.toMatchObject({ code: "service.unavailable" });
  },
);

test("one of several masters that evicts is enough to be refused", async () => {
  await refuseEviction([saying(KEEPS), saying(KEEPS)]);
  const masters = [saying(KEEPS), saying("maxmemory_policy:volatile-lru\r\n")];
  await expect(refuseEviction(masters)).rejects.toMatchObject({ code: "service.unavailable" });
});
