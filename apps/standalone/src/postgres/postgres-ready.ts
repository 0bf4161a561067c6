import { setTimeout as delay } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import type { GuardedProcess } from "../stores/guarded-process.ts";
import { StoreError } from "../stores/store-error.ts";
import { systemCode } from "../stores/system-code.ts";

const POLL_MS = 40;
const CONNECT_MS_MAX = 5_000;

/** Waits until the server takes queries and the URL's database exists. False when the server ended or the time is up. */
export async function waitForPostgres(url: string, server: GuardedProcess, msMax: number): Promise<boolean> {
  const deadline = performance.now() + msMax;
  while (!server.hasEnded() && performance.now() < deadline) {
    if (await ensureDatabase(url)) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** False when the server does not take connections yet. */
async function ensureDatabase(url: string): Promise<boolean> {
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = "/postgres";
  const client = new Client({ connectionString: maintenance.href, connectionTimeoutMillis: CONNECT_MS_MAX });
  // An idle client emits this when its server goes away; the loop above notices by itself.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
    return true;
  } catch (cause) {
    if (isStillStarting(cause)) return false;
    throw new StoreError(
      `PostgreSQL runs but refuses us: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  } finally {
    await client.end();
  }
}

/** 57P03: cannot_connect_now. A reset or a refused connection is a server that does not listen yet, or that has just ended. */
const STARTING = new Set(["57P03", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

function isStillStarting(cause: unknown): boolean {
  if (STARTING.has(systemCode(cause) ?? "")) return true;
  // The driver's own errors have no code. A server on a busy machine may need longer than one try has.
  return cause instanceof Error && /Connection terminated|timeout expired/.test(cause.message);
}
