import { chmod, cp, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isNightly, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { locatePostgres, type PostgresBinaries } from "../postgres/postgres-binaries.ts";
import { createCluster } from "../postgres/postgres-cluster.ts";
import { waitForPostgres } from "../postgres/postgres-ready.ts";
import { startPostgres } from "../postgres/postgres-server.ts";
import { keepPassword } from "./private-folder.ts";
import { chooseUnprivileged } from "./unprivileged.ts";

leakCheck();

const NOBODY = { prefix: [], identity: { uid: 65_534, gid: 65_534 } };
const FORBIDDEN = { prefix: ["unshare", "--no-such-option"], identity: null };

let dataDir: string;
let programs: string;

/** The programs where anybody reaches them: the project's own folder may be closed to others. */
async function reachableBinaries(): Promise<PostgresBinaries> {
  const native = dirname(dirname(locatePostgres().postgres));
  await cp(native, programs, { recursive: true, verbatimSymlinks: true });
  await chmod(programs, 0o755);
  return { initdb: join(programs, "bin/initdb"), postgres: join(programs, "bin/postgres") };
}

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), "bulkhead-programs-"));
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-root-"));
  await mkdir(join(dataDir, "postgres"));
});
afterAll(async () => {
  for (const folder of [dataDir, programs]) await rm(folder, { recursive: true });
});

describe.runIf(process.getuid?.() === 0)("as root", () => {
  test.runIf(isNightly)(
    "where namespaces are forbidden the server is made and run as nobody, who still can't list the data folder",
    async () => {
      const folder = join(dataDir, "postgres");
      const binaries = await reachableBinaries();
      const way = await chooseUnprivileged(binaries, folder, [FORBIDDEN, NOBODY]);
      expect(way).toEqual(NOBODY);
      const password = await keepPassword(join(folder, "password"));
      const place = { binaries, way, folder, throwaway: true, user: "bulkhead" };
      await createCluster({ ...place, progress: undefined });
      expect((await stat(join(folder, "cluster/PG_VERSION"))).uid).toBe(NOBODY.identity.uid);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o711);

      const port = await freePort();
      const { postgres } = binaries;
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
    },
  );

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
