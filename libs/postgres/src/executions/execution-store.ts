import { strict as assert } from "node:assert";
import {
  LARGE_JSON_CHARS,
  stringifyJson,
  statusesBefore,
  type AttemptKey,
  type ClaimedExecution,
  type ClaimOfRun,
  type ClaimWithEnd,
  type Ending,
  type Execution,
  type ExecutionStore,
  Fault,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { GroupCommit, type GroupCommitBounds } from "../group-commit.ts";
import { PARTITION_WEEKS_AHEAD } from "../migrate.ts";
import { batchFailureOf, faulting, toFault } from "../sql-trouble.ts";
import type { Statements } from "../statements.ts";
import { awaitPerson } from "./await-person.ts";
import { beginNested } from "./begin-nested.ts";
import { billOutside } from "./bill-outside.ts";
import { claimExecutions, lookAtExecutions, type Claim } from "./claim-executions.ts";
import { convict } from "./convict.ts";
import { endFromOutside, expireOverdue, recoverAttemptsOf, recoverExpiredLeases } from "./end-executions.ts";
import { finishLarge, finishExecutions, type Finish } from "./finish-executions.ts";
import { handBack } from "./hand-back.ts";
import { markEffects, renewLeases, type Mark } from "./hold-attempts.ts";
import { insertExecutions, toInsert, type ExecutionToInsert } from "./insert-executions.ts";
import { dropOldKeys, findByKey, findByKeys, insertOnce } from "./insert-once.ts";
import { listExecutions } from "./list-executions.ts";
import { listReplayable } from "./list-replayable.ts";
import { listAttempts } from "./past-attempts.ts";
import { findExecution, findReplayable, listQueued, wasHeldBy } from "./read-executions.ts";
import { readPayload } from "./read-payload.ts";
import { retryLater } from "./retry-later.ts";
import { tryAgain } from "./try-again.ts";

/** An execution store that holds calls back for a shared commit, so it has something to end. */
export interface OpenExecutionStore extends ExecutionStore {
  /** Resolves once every call has been answered. */
  drain(): Promise<void>;
}

/** Large results that are written at a time. */
const LARGE_FLIGHTS_MAX = 2;

const lanes = (hot: Statements, bounds: GroupCommitBounds, isSaturated?: () => boolean) => {
  const shared = {
    failureOf: batchFailureOf,
    toFault,
    refusal: () =>
      new Fault("service.unavailable", {
        internal: "Too many writes wait for the database, or for too long.",
      }),
    bounds,
    now: () => performance.now(),
  };
  const ofEveryCall = { ...shared, isSaturated };
  return {
    insert: new GroupCommit<ExecutionToInsert, void>({
      ...ofEveryCall,
      flush: (batch) => insertExecutions(hot, batch),
      weigh: ({ argumentsJson, contextJson, inlineToolJson }) =>
        argumentsJson.length + contextJson.length + (inlineToolJson?.length ?? 0),
    }),
    look: new GroupCommit<AttemptKey, ClaimedExecution | null>({
      ...shared,
      flush: (batch) => lookAtExecutions(hot, batch),
      weigh: () => 0,
    }),
    claim: new GroupCommit<Claim, ClaimedExecution | null>({
      ...ofEveryCall,
      flush: (batch) => claimExecutions(hot, batch),
      weigh: () => 0,
    }),
    markEffect: new GroupCommit<Mark, boolean>({
      ...ofEveryCall,
      flush: (batch) => markEffects(hot, batch),
      weigh: () => 0,
    }),
    finish: new GroupCommit<Finish, Execution | null>({
      ...ofEveryCall,
      flush: (batch) => finishExecutions(hot, batch),
      weigh: ({ resultJson, errorJson }) => resultJson.length + (errorJson?.length ?? 0),
    }),
    // Nobody's small end waits for megabytes to be written.
    finishLarge: new GroupCommit<Finish, Execution | null>({
      ...shared,
      bounds: { ...bounds, itemsMax: 1, flightsMax: LARGE_FLIGHTS_MAX },
      flush: (batch) => finishLarge(hot, batch),
      weigh: ({ resultJson }) => resultJson.length,
    }),
  };
};

/**
 * The truth about executions, in PostgreSQL. What it throws is a Fault. Nearly all of it is SQL: calls share one statement by
 * `unnest`, each move is a compare-and-set by the database's clock, sweeps pass over what others hold, and callers' documents
 * are stored as they were written. `byId` is for statements that name their rows by
 * id, `hot` for those of them that every call needs, `client` for all others. Where `isSaturated`, calls wait for company.
 */
export function openExecutionStore(
  client: PrismaClient,
  byId: PrismaClient,
  hot: Statements,
  bounds: GroupCommitBounds,
  isSaturated?: () => boolean,
): OpenExecutionStore {
  const lane = lanes(hot, bounds, isSaturated);
  return {
    insert: (execution) => lane.insert.submit(toInsert(execution)),
    insertBatch: (executions) =>
      faulting(async () => void (await insertExecutions(hot, executions.map(toInsert)))),
    insertOnce: (calls) => faulting(() => insertOnce(byId, calls)),
    findByKeys: (tenantId, keys) => faulting(() => findByKeys(byId, tenantId, keys)),
    findByKey: (tenantId, once) => faulting(() => findByKey(byId, tenantId, once)),
    look: (attempt) => lane.look.submit(attempt),
    claim: (attempt, workerId, leaseMs, { ranMs, mayBeMine } = CLAIM_BEFORE_RUN) =>
      lane.claim.submit({ attempt, workerId, leaseMs, ranMs, mayBeMine }),
    markEffect: (attempt, leaseMs) => lane.markEffect.submit({ attempt, leaseMs }),
    async finish(attempt, ending, endEventId, claim = null) {
      const finish = toFinish(attempt, ending, endEventId, claim);
      const isLarge = finish.resultJson.length > LARGE_JSON_CHARS;
      const ended = await (isLarge ? lane.finishLarge : lane.finish).submit(finish);
      return ended ?? (await faulting(() => endedBefore(client, attempt, endEventId, claim)));
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await faulting(() => convict(client, attempt, ending, endEventId, convictionsMax));
      if (convicted) return convicted;
      const ended = await faulting(() => endedBefore(client, attempt, endEventId));
      return ended && { ended, quarantined: false, agentId: null };
    },
    beginNested: (execution, workerId, leaseMs) =>
      faulting(() => beginNested(byId, execution, workerId, leaseMs)),
    tryAgain: (attempt, leaseMs) => faulting(() => tryAgain(client, attempt, leaseMs)),
    awaitPerson: (attempt, asked, usage, waitMs) =>
      faulting(() => awaitPerson(byId, attempt, asked, usage, waitMs)),
    retryLater: (attempt, ending, when) => faulting(() => retryLater(byId, attempt, ending, when)),
    listAttempts: (key) => faulting(() => listAttempts(byId, key)),
    findReplayable: (key) => faulting(() => findReplayable(byId, key)),
    handBack: (attempt) => faulting(() => handBack(client, attempt)),
    renewLeases: (attempts, leaseMs) => faulting(() => renewLeases(byId, attempts, leaseMs)),
    endFromOutside: (key, ending) => faulting(() => endFromOutside(client, key, ending)),
    billOutside: (attempt, bill) => faulting(() => billOutside(byId, attempt, bill)),
    find: (key) => faulting(() => findExecution(byId, key)),
    readPayload: (key, part, range) => faulting(() => readPayload(byId, key, part, range)),
    list: (tenantId, page) => faulting(() => listExecutions({ client, byId }, tenantId, page)),
    listReplayable: (tenantId, filter, limit) =>
      faulting(() => listReplayable({ client, byId }, tenantId, filter, limit)),
    expireOverdue: (limit) => faulting(() => expireOverdue(client, limit)),
    listQueued: (olderThanMs, after, limit) => faulting(() => listQueued(client, olderThanMs, after, limit)),
    recoverExpiredLeases: (limit) => faulting(() => recoverExpiredLeases(client, limit)),
    recoverAttemptsOf: (workerIds, limit) => faulting(() => recoverAttemptsOf(client, workerIds, limit)),
    dropOldKeys: (limit) => faulting(() => dropOldKeys(client, limit)),
    dropOldExecutions: (days) =>
      faulting(async () => {
        const [row] = await client.$queryRaw<{ dropped: number }[]>`
          SELECT drop_execution_partitions(now() - ${days}::int * interval '1 day') AS dropped`;
        return row?.dropped ?? 0;
      }),
    ensurePartitions: () =>
      faulting(async () => {
        await client.$queryRaw`SELECT ensure_execution_partitions(${PARTITION_WEEKS_AHEAD}::int)`;
      }),
    async drain() {
      await Promise.all(Object.values(lane).map((group) => group.drain()));
    },
  };
}

const CLAIM_BEFORE_RUN: ClaimOfRun = { ranMs: 0, mayBeMine: false };

function toFinish(
  attempt: AttemptKey,
  ending: Ending,
  endEventId: string,
  claim: ClaimWithEnd | null,
): Finish {
  assert(statusesBefore(ending.status).includes("running"), `running never becomes ${ending.status}`);
  return {
    attempt,
    ending,
    endEventId,
    resultJson: stringifyJson(ending.result),
    errorJson: ending.error && JSON.stringify(ending.error),
    usageJson: JSON.stringify(ending.usage),
    timingsJson: JSON.stringify(ending.timings),
    claim,
  };
}

/**
 * Makes `finish` repeatable: a holder whose first call was committed but never answered gets the same answer again.
 * Only it can have written this event id under this attempt; of several that ran it without a claim one did.
 */
async function endedBefore(
  client: PrismaClient,
  attempt: AttemptKey,
  endEventId: string,
  claim: ClaimWithEnd | null = null,
): Promise<Execution | null> {
  const execution = await findExecution(client, attempt);
  if (execution?.attempt !== attempt.attempt || execution.endEventId !== endEventId) return null;
  return claim === null || (await wasHeldBy(client, attempt, claim.workerId)) ? execution : null;
}
