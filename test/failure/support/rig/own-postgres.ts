import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const CONNECTIONS_MAX = 100;
const MIGRATE_MAIN = join(import.meta.dirname, "../../../../libs/postgres/src/migrate-main.ts");
const MIGRATE_MS_MAX = 60_000;

/** A PostgreSQL that keeps what it has confirmed, and whose process may die. */
export class OwnPostgres {
  readonly #folder: string;
  readonly #onMove: (port: number) => void;
  #postgres: EmbeddedPostgres;

  constructor(folder: string, postgres: EmbeddedPostgres, onMove: (port: number) => void) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#onMove = onMove;
  }

  get url(): string {
    return this.#postgres.url;
  }

  /** SIGKILL to the postmaster; its backends see that and end. */
  async kill(): Promise<void> {
    process.kill(this.#postgres.pid, "SIGKILL");
    await this.#postgres.ended;
  }

  /** After `kill`, on the same data; it may come up at another port, which `onMove` is told. */
  async start(): Promise<void> {
    this.#postgres = await open(this.#folder);
    this.#onMove(this.#postgres.port);
  }

  async close(): Promise<void> {
    await this.#postgres.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const open = (folder: string): Promise<EmbeddedPostgres> =>
  openPostgres({ dataDir: folder, connectionsMax: CONNECTIONS_MAX });

/** Migrated, and empty. */
export async function openOwnPostgres(onMove: (port: number) => void): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-fault-postgres-"));
  const postgres = await open(folder);
  await promisify(execFile)(process.execPath, [MIGRATE_MAIN], {
    env: { PATH: process.env["PATH"], DATABASE_URL: postgres.url },
    timeout: MIGRATE_MS_MAX,
  });
  return new OwnPostgres(folder, postgres, onMove);
}
