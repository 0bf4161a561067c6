import { oneMore, pageOf } from "@bulkhead/contracts";
import {
  accentedSearchWords,
  compact,
  type ExecutionStore,
  type TenantPrincipal,
  type ToolCatalogue,
} from "@bulkhead/core";
import {
  cancelExecution,
  countWaiting,
  linksOf,
  listAnyApprovals,
  listSchedules,
  pauseSchedule,
  presentExecution,
  presentSummary,
  readFilter,
  resumeSchedule,
  runSchedule,
  seeExecution,
  showApproval,
  showSchedule,
  waitingLinksOf,
  type ScheduleDeps,
  type ToolFilterDeps,
} from "@bulkhead/executions";
import { countWaitingTools } from "@bulkhead/tools";
import type { Operations } from "./operations.ts";

type CancelDeps = Parameters<typeof cancelExecution>[0];
type ApprovalDeps = Parameters<typeof listAnyApprovals>[0] & Parameters<typeof countWaiting>[0];

export interface CallDeps
  extends Omit<ScheduleDeps, "report">, ToolFilterDeps, Omit<CancelDeps, "executions">, ApprovalDeps {
  executions: CancelDeps["executions"] & Pick<ExecutionStore, "list">;
  catalogue: Pick<ToolCatalogue, "page">;
}

const keyOf = ({ tenantId }: TenantPrincipal, executionId: string) => ({ tenantId, executionId });

/** Executions, the calls that wait for a person, and schedules. */
export const CALL_OPERATIONS = {
  "executions.list": {
    action: "executions.read",
    async run(deps, principal, { logs, limit, cursor, ...asked }) {
      const filter = await readFilter(deps, principal, asked);
      if (filter === null) return { executions: [], nextCursor: null };
      const logWords = logs === undefined ? undefined : accentedSearchWords(logs);
      const page = { ...filter, limit, ...compact({ logWords, before: cursor }) };
      const { executions, next, scanned } = await deps.executions.list(principal.tenantId, page);
      const shown = executions.map(presentSummary);
      return { executions: shown, nextCursor: next, scanned: scanned ?? undefined };
    },
  },
  "executions.get": {
    action: "executions.read",
    run: async (deps, principal, { id }) =>
      presentExecution(await seeExecution(deps, principal, keyOf(principal, id))),
  },
  "executions.cancel": {
    action: "executions.run",
    run: async (deps, principal, { id }) =>
      presentExecution(await cancelExecution(deps, principal, keyOf(principal, id))),
  },
  "approvals.list": {
    action: "approvals.read",
    async run(deps, principal, { limit, cursor, status: statuses = ["waiting"] }) {
      const asked = compact({ statuses, before: cursor, limit: oneMore(limit) });
      const [found, waitingCount, tools] = await Promise.all([
        listAnyApprovals(deps, principal, asked),
        countWaiting(deps, principal),
        countWaitingTools(deps, principal),
      ]);
      const { page, nextCursor } = pageOf(found, limit, ({ approval }) => approval.approvalId);
      return { approvals: page.map(showApproval), nextCursor, waitingCount, tools };
    },
  },
  "schedules.list": {
    action: "schedules.read",
    async run(deps, principal, { limit, cursor }) {
      const asked = compact({ limit: oneMore(limit), before: cursor });
      const found = await listSchedules(deps, principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ scheduleId }) => scheduleId);
      return { schedules: page.map(showSchedule), nextCursor };
    },
  },
  "schedules.pause": {
    action: "schedules.write",
    run: async (deps, principal, { id }) => showSchedule(await pauseSchedule(deps, principal, id)),
  },
  "schedules.resume": {
    action: "schedules.write",
    run: async (deps, principal, { id }) => showSchedule(await resumeSchedule(deps, principal, id)),
  },
  "schedules.run": {
    action: "schedules.write",
    async run(deps, principal, { id }) {
      const { executionId, status } = await runSchedule(deps, principal, id, null);
      const links = status === "awaiting_approval" ? waitingLinksOf(executionId) : linksOf(executionId);
      return { executionId, status, links };
    },
  },
} as const satisfies Partial<Operations<CallDeps>>;
