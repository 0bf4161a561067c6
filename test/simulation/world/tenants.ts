import {
  APPROVAL_SETTINGS_DEFAULT,
  RUN_LIMITS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type LimitsAsOf,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/core";
import type { Random } from "../kernel/random.ts";

export interface Tenancy {
  id: string;
  current: LimitsAsOf;
  tools: Tool[];
}

const hex16 = (n: number): string => n.toString(16).padStart(16, "0");

/** A few tenants with tight limits, each with tools of every kind that matters here. */
export function makeTenants(random: Random, at: Date): Map<string, Tenancy> {
  const tenants = new Map<string, Tenancy>();
  for (let n = 1; n <= random.whole(1, 3); n += 1) {
    const id = `ten_${hex16(n)}`;
    const limits = {
      ...TENANT_LIMITS_DEFAULT,
      maxConcurrentExecutions: random.whole(1, 3),
      executionsPerSecond: random.pick([1, 3, 100]),
      executionBurst: random.pick([1, 2, 10]),
      maxQueuedExecutions: random.pick([2, 10, 100]),
      weight: random.pick([1, 2, 4]),
    };
    tenants.set(id, {
      id,
      current: { limits, asOf: at },
      tools: KINDS.map((kind, k) => toolOf(id, n * 10 + k, kind, at)),
    });
  }
  return tenants;
}

type Kind = Pick<Tool, "idempotent" | "retry" | "dispatch">;
const RETRY = { attempts: 3, backoffMs: 500, on: ["tool.threw", "sandbox.crashed"] } satisfies Tool["retry"];
const KINDS: Kind[] = [
  { idempotent: false, retry: null, dispatch: null },
  { idempotent: false, retry: RETRY, dispatch: null },
  { idempotent: true, retry: RETRY, dispatch: null },
  { idempotent: true, retry: null, dispatch: { maxConcurrent: 1 } },
  { idempotent: false, retry: null, dispatch: { perSecond: 2 } },
];

const toolOf = (tenantId: string, n: number, kind: Kind, at: Date): Tool => ({
  ...kind,
  id: `tool_${hex16(n)}`,
  tenantId,
  agentId: null,
  retention: null,
  applyDefaults: null,
  name: `tool_${n}`,
  alias: null,
  mcp: null,
  title: null,
  annotations: null,
  description: "",
  category: null,
  status: "active",
  statusReason: null,
  requiresApproval: false,
  approval: null,
  createdBy: "user",
  metadata: null,
  requiredApiKeys: [],
  requiredConfigServices: [],
  version: 1,
  usageCount: 0,
  lastUsedAt: null,
  createdAt: at,
  updatedAt: at,
  contentHash: "0".repeat(64),
  revision: 1,
  pendingVersion: null,
  approved: null,
  code: "",
  language: "javascript",
  compiled: null,
  outputSchema: null,
  parameters: {},
  permissions: ["network"],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
});

export const principalOf = ({ id, current }: Tenancy): TenantPrincipal => ({
  role: "owner",
  keyId: "key_0000000000000001",
  tenantId: id,
  agentId: null,
  limits: current.limits,
  limitsAsOf: current.asOf,
  approval: APPROVAL_SETTINGS_DEFAULT,
});
