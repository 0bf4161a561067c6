import { ANY_FILE, type Workspace } from "@bulkhead/core";
import { createHash, randomBytes } from "node:crypto";
import { Client } from "pg";
import { isNightly, queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const ROUNDS = 15;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const workspaceOf = (tenant: string): Workspace => ({ tenantId: tenant, agentId: null, userId: null });
const fresh = (): string => randomBytes(12).toString("hex");

function write(path: string, text: string, tenant = tenantId) {
  const hash = sha256(text);
  const content = { size: text.length, hash, chunks: [{ hash, bytes: Buffer.from(text) }] };
  const writer = { by: "key_1", bounds: { files: 1_000, bytes: 1_000_000 } };
  return database.files.write({ workspace: workspaceOf(tenant), path }, content, ANY_FILE, writer);
}
const remove = (path: string) =>
  database.files.remove(
    { workspace: workspaceOf(tenantId), path },
    { isRecursive: false, denied: [], condition: ANY_FILE },
  );
/** Makes all that was touched as old as the sweep wants it. */
const age = () =>
  testDatabase.execute(
    "UPDATE file_chunks SET touched_at = now() - interval '2 hours' WHERE touched_at IS NOT NULL",
  );
const isKept = async (text: string, tenant = tenantId): Promise<boolean> =>
  (
    await queryRows(
      testDatabase.url,
      `SELECT FROM file_chunks WHERE tenant_id = '${tenant}' AND hash = '${sha256(text)}'`,
    )
  ).length === 1;
async function sweepAll(): Promise<void> {
  while ((await database.files.sweep(50)) > 0);
}
async function readBack(path: string): Promise<string> {
  const file = await database.files.findFirst([workspaceOf(tenantId)], path);
  const bytes = await database.files.read(file!, file!.version, { from: 0, to: file!.size });
  return Buffer.from(bytes!).toString();
}

test("pieces go that nobody has any more, an hour after the last one that had them", async () => {
  const [kept, gone] = [fresh(), fresh()];
  await write("kept", kept);
  await write("gone", gone);
  await write("gone", gone, otherId);
  await age();
  await remove("gone");
  await sweepAll();
  // The removal has touched it.
  expect(await isKept(gone)).toBe(true);
  await age();
  await sweepAll();
  expect([await isKept(kept), await isKept(gone), await isKept(gone, otherId)]).toEqual([true, false, true]);
  expect(await readBack("kept")).toBe(kept);
});

test("pieces of former versions stay as long as those do", async () => {
  const first = fresh();
  await write("versions", first);
  for (let n = 2; n <= 10; n += 1) await write("versions", fresh());
  await age();
  await sweepAll();
  expect(await isKept(first)).toBe(true);
  await write("versions", fresh());
  await age();
  await sweepAll();
  expect(await isKept(first)).toBe(false);
});

test("a piece that is written again while the sweep looks at it is there afterwards", async () => {
  const text = fresh();
  await write("again", text);
  await remove("again");
  await age();
  const sweeper = new Client({ connectionString: testDatabase.url });
  await sweeper.connect();
  try {
    // The sweep's own first step, held open: the writer has to wait for it, and its piece goes meanwhile.
    await sweeper.query("BEGIN");
    await sweeper.query("SELECT FROM file_chunks WHERE touched_at < now() - interval '1 hour' FOR UPDATE");
    const written = write("again", text);
    await sweeper.query(`DELETE FROM file_chunks WHERE hash = '${sha256(text)}'`);
    await sweeper.query("COMMIT");
    expect(await written).toMatchObject({ outcome: "written" });
  } finally {
    await sweeper.end();
  }
  expect(await readBack("again")).toBe(text);
});

test.runIf(isNightly)(
  "however old pieces are made while files are written, a file that was written can be read",
  async () => {
    const texts = [fresh(), fresh(), fresh()];
    // Who finds the pieces gone again and again is told so; nothing is written without them.
    const writeOnce = async (path: string, text: string): Promise<void> => {
      const error = await write(path, text).then(
        () => null,
        (refused: unknown) => refused,
      );
      if (error === null) return;
      expect(error).toMatchObject({ code: "service.unavailable" });
      await writeOnce(path, text);
    };
    const writeOften = async (text: string, n: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await writeOnce(`race ${n}`, text);
        expect(await readBack(`race ${n}`)).toBe(text);
        await remove(`race ${n}`);
      }
      await writeOnce(`race ${n}`, text);
    };
    const over = new AbortController();
    const sweepOn = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await age();
        await database.files.sweep(10);
      }
    };
    const writers = Promise.all(texts.map(writeOften)).finally(() => over.abort());
    await Promise.all([writers, sweepOn()]);
    await age();
    await sweepAll();
    for (const [n, text] of texts.entries()) expect(await readBack(`race ${n}`)).toBe(text);
  },
);
