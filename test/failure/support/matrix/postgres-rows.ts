import { setTimeout as delay } from "node:timers/promises";
import type { FaultRow } from "./row.ts";

/** How long Postgres is away; milliseconds. */
const AWAY_MS = 1_500;

const TERMINATE_BUSY = `select pg_terminate_backend(pid) from pg_stat_activity
where pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null`;
const TERMINATE_ALL = `select pg_terminate_backend(pid) from pg_stat_activity
where pid <> pg_backend_pid() and backend_type = 'client backend'`;

export const POSTGRES_ROWS: readonly FaultRow[] = [
  {
    name: "kill -9 of Postgres, started again on its data",
    // A cancel that the database can't record is not answered; one that it could reaches its worker at once.
    strike: async ({ rig }) => {
      await rig.postgres.kill();
      await delay(AWAY_MS);
      await rig.postgres.start();
    },
  },
  {
    name: "backends terminated in mid-transaction",
    strike: async ({ rig }) => {
      // Busy ones are there for a millisecond at a time: many looks meet some of them.
      for (let look = 0; look < 60; look += 1) {
        await rig.sql(TERMINATE_BUSY);
        await delay(20);
      }
    },
  },
  {
    name: "all backends terminated at once, again and again",
    strike: async ({ rig }) => {
      for (let times = 0; times < 5; times += 1) {
        await rig.sql(TERMINATE_ALL);
        await delay(300);
      }
    },
  },
  {
    name: "a lock on all executions held for a while",
    strike: async ({ rig }) => {
      await rig.sql("begin; lock table executions in access exclusive mode; select pg_sleep(3); commit");
    },
  },
];
