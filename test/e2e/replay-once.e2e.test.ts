import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;

const EXECUTIONS = "/api/v1/executions";
interface Replayed {
  replayOf: string;
  executionId: string;
}

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "inner", "return 1;");
  await createTool(owner, "outer", "return utils.callTool('inner');");
});

const execute = async (tool: string): Promise<string> =>
  (await owner.post(`/api/v1/custom-tools/${tool}/execute`, {})).body.data.executionId;
const replaysOf = async (tool: string): Promise<Replayed[]> => {
  const { body } = await owner.get(`${EXECUTIONS}?tool=${tool}&limit=200`);
  return body.data.executions.filter(({ replayOf }: Partial<Replayed>) => replayOf !== undefined);
};
const idsOf = (rows: { id?: string; executionId?: string }[]) =>
  rows.map(({ id, executionId }) => id ?? executionId ?? "").toSorted((a, b) => (a < b ? -1 : 1));

describe("a replay by filter", () => {
  const COUNT = 30;

  test.each(isNightly ? [1, 2, 3] : [1])(
    "[R20] of four callers at once replays each old one once (round %i)",
    async (round) => {
      const tool = `at_once_${round}`;
      await createTool(owner, tool, "throw new Error('no');");
      const calls = { executions: Array.from({ length: COUNT }, () => ({ tool })) };
      await owner.post(`${EXECUTIONS}/batch`, calls);
      await expect
        .poll(
          async () =>
            (await owner.get(`${EXECUTIONS}?tool=${tool}&status=failed&limit=200`)).body.data.executions
              .length,
          { timeout: 30_000 },
        )
        .toBe(COUNT);
      const until = { createdBefore: new Date().toISOString() };
      const count = async (limit: number) =>
        (await owner.post(`${EXECUTIONS}/replay/count`, { tool, ...until, limit })).body.data?.count;
      expect([await count(100), await count(7)]).toEqual([COUNT, 7]);
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => owner.post(`${EXECUTIONS}/replay`, { tool, ...until })),
      );
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      const made = await replaysOf(tool);
      expect(made).toHaveLength(COUNT);
      expect(new Set(made.map(({ replayOf }) => replayOf)).size).toBe(COUNT);
      expect(await count(100)).toBe(0);
      // Who came too late to make them is answered with them, or finds nothing left.
      for (const { body } of answers)
        expect(idsOf(made)).toEqual(expect.arrayContaining(idsOf(body.data.executions)));
      const audited = await owner.get("/api/v1/audit?action=execution.replayed&limit=200");
      const told = audited.body.data.entries.filter(
        ({ subject }: { subject: { name: string } }) => subject.name === tool,
      );
      expect(idsOf(told.map(({ details }: { details: object }) => details))).toEqual(idsOf(made));
    },
  );
});

describe("a replay of one", () => {
  test("[R15] under an Idempotency-Key is made once, and its key is no other call's", async () => {
    const id = await execute("inner");
    const key = { "idempotency-key": `again-${id}` };
    const replay = (of: string) => owner.post(`${EXECUTIONS}/${of}/replay`, undefined, key);
    const answers = await Promise.all([replay(id), replay(id), replay(id)]);
    answers.push(await replay(id));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.data.executionId)).size).toBe(1);
    const replays = (await replaysOf("inner")).filter(({ replayOf }) => replayOf === id);
    expect(replays).toHaveLength(1);
    const audited = await owner.get("/api/v1/audit?action=execution.replayed&limit=200");
    const told = audited.body.data.entries.filter(
      ({ subject }: { subject: { id: string } }) => subject.id === id,
    );
    expect(told).toHaveLength(1);
    expect((await replay(await execute("inner"))).body.code).toBe("idempotency.conflict");
  });

  test("without a key is one more each time", async () => {
    const id = await execute("inner");
    const replay = () => owner.post(`${EXECUTIONS}/${id}/replay`);
    const [first, second] = [await replay(), await replay()];
    expect(first.body.data.executionId).not.toBe(second.body.data.executionId);
  });

  test("is refused, with what it was, for a nested call and for a dry run", async () => {
    const parentId = await execute("outer");
    const { body } = await owner.get(`${EXECUTIONS}?tool=inner&limit=200`);
    const nested = body.data.executions.find((one: { parentId?: string }) => one.parentId === parentId);
    const dry = await owner.post("/api/v1/custom-tools/test", { name: "dry", code: "return 1" });
    for (const id of [nested.id, dry.body.data.executionId]) {
      expect((await owner.get(`${EXECUTIONS}/${id}`)).status).toBe(200);
      const refused = await owner.post(`${EXECUTIONS}/${id}/replay`);
      expect([refused.status, refused.body.code]).toEqual([409, "execution.not_replayable"]);
    }
  });
});
