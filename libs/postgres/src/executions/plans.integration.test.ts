import { expect, test } from "vitest";
import { openClient } from "../client.ts";
import { testDatabase, useTwoTenants } from "../fixtures/stores.ts";
import { KEEP } from "../logs/keep-logs.ts";
import { READ_PIECE } from "../logs/log-store.ts";
import { BEGIN_NESTED } from "./begin-nested.ts";
import { BILL_OUTSIDE } from "./bill-outside.ts";
import { CLAIM, LOOK } from "./claim-executions.ts";
import { FINISH, FINISH_LARGE } from "./finish-executions.ts";
import { MARK_EFFECT, RENEW_LEASE } from "./hold-attempts.ts";
import { LIST } from "./list-executions.ts";
import { READ_ARGUMENTS, READ_RESULT } from "./read-payload.ts";
import { FIND, FIND_REPLAYABLE, WAS_HELD_BY } from "./read-executions.ts";
import { RETRY_LATER } from "./retry-later.ts";

useTwoTenants();

/** The indexes by ids; of an execution that is queued its partition's own index of those, too. */
const BY_ID =
  /^(executions_\w+_(pkey|id_idx)|(tools|tenants|execution_attempts|due_logs|execution_logs|log_pieces)_pkey|execution_logs_tenant_id_execution_id_idx)$/;

const BY_THEIR_IDS = {
  BEGIN_NESTED,
  BILL_OUTSIDE,
  CLAIM,
  FIND,
  FIND_REPLAYABLE,
  FINISH,
  FINISH_LARGE,
  KEEP,
  LIST,
  LOOK,
  MARK_EFFECT,
  READ_ARGUMENTS,
  READ_PIECE,
  READ_RESULT,
  RENEW_LEASE,
  RETRY_LATER,
  WAS_HELD_BY,
};

test.each(Object.entries(BY_THEIR_IDS))(
  "%s is planned by ids alone where its tables are as good as empty, since it keeps that plan when they have grown",
  async (_name, statement) => {
    const client = openClient({
      url: testDatabase.url,
      poolMax: 1,
      applicationName: "plans",
      connectMsMax: 5_000,
      statementMsMax: 5_000,
      planning: "once",
    });
    try {
      const rows = await client.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
        `EXPLAIN (GENERIC_PLAN, COSTS OFF) ${statement}`,
      );
      const lines = rows.map((row) => row["QUERY PLAN"]);
      const indexes = lines.flatMap((line) => /Index (?:Only )?Scan.* using (\w+)/.exec(line)?.[1] ?? []);
      expect(indexes).not.toEqual([]);
      expect(indexes.filter((index) => !BY_ID.test(index))).toEqual([]);
      expect(lines.filter((line) => /Seq Scan/.test(line))).toEqual([]);
    } finally {
      await client.$disconnect();
    }
  },
);
