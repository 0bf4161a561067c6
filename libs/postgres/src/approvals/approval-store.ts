import type { ApprovalStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { allowExecution } from "./allow-execution.ts";
import { countWaiting, findApproval, listWaiting } from "./read-approvals.ts";
import { deleteStanding, listStanding, standingOf } from "./standing-approvals.ts";

/** Approvals of executions in PostgreSQL. What it throws is a Fault. */
export const openApprovalStore = (client: PrismaClient): ApprovalStore => ({
  find: (key) => faulting(() => findApproval(client, key)),
  listWaiting: (tenantId, page) => faulting(() => listWaiting(client, tenantId, page)),
  countWaiting: (tenantId, max) => faulting(() => countWaiting(client, tenantId, max)),
  allow: (key, answer, standing, standingMax) =>
    faulting(() => allowExecution(client, key, answer, standing, standingMax)),
  standingOf: (tenantId, toolId, version) => faulting(() => standingOf(client, tenantId, toolId, version)),
  listStanding: (tenantId, page) => faulting(() => listStanding(client, tenantId, page)),
  deleteStanding: (tenantId, standingId) => faulting(() => deleteStanding(client, tenantId, standingId)),
});
