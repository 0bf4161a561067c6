import { PROCESSES_KNOWN_MAX, PROCESSES_MAX, type ProcessEnd } from "@bulkhead/core";
import { leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProcessBoard } from "./process-board.ts";

leakCheck();

let server: TestRedis;
let commands: Redis;
beforeAll(async () => {
  server = await openTestRedis();
  commands = new Redis(server.url);
});
afterAll(async () => {
  commands.disconnect();
  await server.close();
});

const tenantId = "ten_a";
const END: ProcessEnd = {
  exitCode: 0,
  timedOut: false,
  written: 0,
  removed: 0,
  unsaved: [],
  failure: null,
  endedAt: "2026-01-01T00:00:00.000Z",
};
const factsOf = (processId: string) =>
  ({
    tenantId,
    processId,
    agentId: null,
    userId: null,
    command: "x",
    engine: "virtual",
    startedAt: "",
  }) as const;

test("of too many that are over the oldest are forgotten with all that they said; those that go on are not", async () => {
  const board = openProcessBoard({ commands });
  const begin = async (id: string): Promise<void> => {
    expect(await board.open(factsOf(id))).toBe("opened");
    await board.exchange({ tenantId, processId: id }, `said by ${id}`);
  };
  await begin("prc_goes_on");
  const ids = Array.from({ length: PROCESSES_KNOWN_MAX + 8 }, (_, n) => `prc_${n}`);
  for (const processId of ids) {
    await begin(processId);
    await board.end({ tenantId, processId }, END);
  }
  expect(await board.find(factsOf("prc_goes_on"))).toMatchObject({ status: "running", outputBytes: 19 });
  expect(await board.find(factsOf("prc_0"))).toBeNull();
  const known = await board.list(tenantId);
  expect(known.length).toBeLessThanOrEqual(PROCESSES_KNOWN_MAX + PROCESSES_MAX);
  expect(known.map(({ processId }) => processId)).toContain(ids.at(-1));
  const keys = await commands.keys("bh:shell:*:out");
  expect(keys).toHaveLength(known.length);
});
