import {
  ApprovalQuery,
  AuditQuery,
  ConfigServiceQuery,
  ExecutionQuery,
  ExplainPolicy,
  idOrName,
  ScheduleQuery,
  ToolQuery,
} from "@bulkhead/contracts";
import type { TenantRole } from "@bulkhead/core";
import { z } from "zod";

/** One thing that can be asked of `gateway`. */
interface Operation<Takes extends z.ZodType = z.ZodType> {
  effect: "reads" | "writes";
  /** Its arguments: the query of the route of REST that answers the same. */
  takes: Takes;
  /** For models. */
  says: string;
}

const reads = <Takes extends z.ZodType>(takes: Takes, says: string): Operation<Takes> => ({
  effect: "reads",
  takes,
  says,
});
const writes = <Takes extends z.ZodType>(takes: Takes, says: string): Operation<Takes> => ({
  effect: "writes",
  takes,
  says,
});

const Nothing = z.strictObject({});
const OfId = z.strictObject({ id: idOrName.describe("Its id; of a tool also the name.") });
const OfName = z.strictObject({ name: idOrName.describe("Its name.") });
const PAGED = "limit?, cursor?";

/** All that `gateway` does, by name. None of them answers a call that waits, makes a key, or shows a secret. */
export const GATEWAY_OPERATIONS = {
  status: reads(Nothing, "the tenant's limits, how busy it is now, and what it has used this month"),
  "tools.list": reads(ToolQuery, `{status?, createdBy?, agentId?, search?, ${PAGED}}`),
  "tools.get": reads(OfId, "{id}"),
  "tools.enable": writes(OfId, "{id}: a disabled tool serves again"),
  "tools.disable": writes(OfId, "{id}: an active tool serves no more"),
  "executions.list": reads(ExecutionQuery, `{status?, tool?, agentId?, from?, to?, ${PAGED}}`),
  "executions.get": reads(OfId, "{id}"),
  "executions.cancel": writes(OfId, "{id}"),
  "approvals.list": reads(
    ApprovalQuery,
    `{status?, ${PAGED}}: calls that wait for a person; only people answer them`,
  ),
  "schedules.list": reads(ScheduleQuery, `{${PAGED}}`),
  "schedules.pause": writes(OfId, "{id}"),
  "schedules.resume": writes(OfId, "{id}"),
  "schedules.run": writes(OfId, "{id}: runs it once more, now"),
  "keys.list": reads(Nothing, "API keys, without their secrets"),
  "services.list": reads(ConfigServiceQuery, `{${PAGED}}: outside services, without their values`),
  "policies.get": reads(Nothing, "which tools agents get"),
  "policies.check": reads(
    ExplainPolicy,
    `{agentId?, policy?, ${PAGED}}: what an agent gets, and what another policy would change`,
  ),
  "mcp_servers.list": reads(Nothing, "others' MCP servers"),
  "mcp_servers.enable": writes(OfName, "{name}"),
  "mcp_servers.disable": writes(OfName, "{name}"),
  "audit.list": reads(AuditQuery, `{action?, subjectType?, subjectId?, keyId?, from?, to?, ${PAGED}}`),
} as const satisfies Record<string, Operation>;

export type GatewayOperation = keyof typeof GATEWAY_OPERATIONS;

/** The roles of the keys whose own calls it takes; what each may, the operation's action says as a route's does. */
export const GATEWAY_ROLES = ["owner", "developer"] as const satisfies readonly TenantRole[];

/** The arguments of an operation, as they were read. */
export type GatewayAsked<Name extends GatewayOperation> = z.output<
  (typeof GATEWAY_OPERATIONS)[Name]["takes"]
>;

export const GATEWAY_OPERATION_NAMES = Object.keys(GATEWAY_OPERATIONS) as GatewayOperation[];

export const isGatewayOperation = (name: string): name is GatewayOperation =>
  Object.hasOwn(GATEWAY_OPERATIONS, name);
