import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { locatePostgres } from "./postgres-binaries.ts";
import { createCluster } from "./postgres-cluster.ts";
import { waitForPostgres } from "./postgres-ready.ts";
import { startPostgres } from "./postgres-server.ts";
import { keepPassword } from "./private-folder.ts";
import { chooseUnprivileged } from "./unprivileged.ts";

leakCheck();

const NOBODY = { prefix: [], identity: { uid: 65_534, gid: 65_534 } };
const FORBIDDEN = { prefix: ["unshare", "--no-such-option"], identity: null };

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-root-"));
  await mkdir(join(dataDir, "postgres"));
});
afterAll(() => rm(dataDir, { recursive: true }));

describe.runIf(process.getuid?.() === 0)("as root", () => {
  test("where namespaces are forbidden the server is made and run as nobody, who still can't list the data folder", async () => {
    const folder = join(dataDir, "postgres");
    const way = await chooseUnprivileged(locatePostgres(), folder, [FORBIDDEN, NOBODY]);
    expect(way).toEqual(NOBODY);
    const password = await keepPassword(join(folder, "password"));
    const place = { binaries: locatePostgres(), way, folder, throwaway: true, user: "bulkhead" };
    await createCluster({ ...place, progress: undefined });
    expect((await stat(join(folder, "cluster/PG_VERSION"))).uid).toBe(NOBODY.identity.uid);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);

    const port = await freePort();
    const { postgres } = locatePostgres();
    const limits = { connectionsMax: 10, stopMsMax: 5_000, throwaway: true };
    const server = await startPostgres({
      postgres,
      way,
      folder,
      logFile: join(folder, "log"),
      port,
      socketFolder: folder,
      ...limits,
    });
    const url = `postgresql://bulkhead:${password}@127.0.0.1:${port}/bulkhead`;
    expect(await waitForPostgres(url, server, 20_000)).toBe(true);
    expect(await waitForPostgres(`${url}?host=${folder}`, server, 20_000)).toBe(true);
    await server.stop();
  });

  test("where nothing works the error says what was tried and what to do", async () => {
    const tried = chooseUnprivileged(locatePostgres(), join(dataDir, "postgres"), [FORBIDDEN]);
    await expect(tried).rejects.toThrow(
      /refuses to run as root.*ordinary user.*DATABASE_URL.*unshare --no-such-option: .*unrecognized option/su,
    );
  });
});

test("a system for which there is no PostgreSQL is named", () => {
  expect(() => locatePostgres("sunos", "sparc")).toThrow(/sunos-sparc.*DATABASE_URL/su);
});
