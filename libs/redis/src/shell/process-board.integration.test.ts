import { PROCESSES_KNOWN_MAX, PROCESSES_MAX, type ProcessEnd, type ProcessNews } from "@bulkhead/core";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { once } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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
    await board.exchange({ tenantId, processId: id }, { output: `said by ${id}`, from: 0, heard: null });
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

test("an exchange whose answer is lost is made again: nothing is added twice, and no word is lost", async () => {
  const impatient = new Redis(server.url, { commandTimeout: 50 });
  onTestFinished(() => impatient.disconnect());
  await once(impatient, "ready");
  const [board, hasty] = [openProcessBoard({ commands }), openProcessBoard({ commands: impatient })];
  const key = { tenantId: "ten_b", processId: "prc_b" };
  await board.open({ ...factsOf("prc_b"), ...key });
  const outputOf = async () => Buffer.from(await board.read(key, 0, 1_000)).toString();
  /** Redis does it when the client has given it up. */
  const lost = async (news: ProcessNews, output: string) => {
    await commands.call("CLIENT", "PAUSE", 60_000, "WRITE");
    await expect(hasty.exchange(key, news)).rejects.toMatchObject({ code: "service.unavailable" });
    await commands.call("CLIENT", "UNPAUSE");
    await until(async () => (await outputOf()) === output, { what: "what was given up is done" });
  };
  // Redis has the script: the one that is given up is not sent again with its text.
  await board.exchange(key, { output: "", from: 0, heard: null });
  await board.tell(key, { kind: "input", text: "y" });
  await board.tell(key, { kind: "stop" });
  await lost({ output: "grü", from: 0, heard: null }, "grü");
  const told = await board.exchange(key, { output: "grüße", from: 0, heard: null });
  expect(told).toMatchObject([{ kind: "input", text: "y" }, { kind: "stop" }]);
  expect(await outputOf()).toBe("grüße");
  const heard = told.at(-1)!.id;
  await lost({ output: "!", from: 7, heard }, "grüße!");
  await board.tell(key, { kind: "stop" });
  expect(await board.exchange(key, { output: "!", from: 7, heard })).toMatchObject([{ kind: "stop" }]);
  expect(await outputOf()).toBe("grüße!");
  expect(await board.exchange({ ...key, processId: "prc_gone" }, { output: "x", from: 0, heard })).toEqual(
    [],
  );
});
