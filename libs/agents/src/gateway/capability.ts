import { readInput } from "@bulkhead/contracts";
import type { CapabilityAnswer, CapabilityCaller, CapabilityFamily, JsonObject } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import {
  GATEWAY_OPERATIONS,
  GATEWAY_OPERATION_NAMES,
  isGatewayOperation,
  type GatewayOperation,
} from "@bulkhead/tools/built-in";
import { findCaller, type CallerDeps } from "./find-caller.ts";
import { CALL_OPERATIONS, type CallDeps } from "./operate-calls.ts";
import { TENANT_OPERATIONS, type TenantDeps } from "./operate-tenant.ts";
import type { Does, Operations } from "./operations.ts";

export type GatewayDeps = CallDeps & TenantDeps & { callers: CallerDeps };

const OPERATIONS: Operations<CallDeps & TenantDeps> = { ...TENANT_OPERATIONS, ...CALL_OPERATIONS };

/** The capability `gateway`: the tenant's administration, as far as the key goes whose own call asks. */
export const openGateway = (deps: GatewayDeps): CapabilityFamily => ({
  operations: new Map(GATEWAY_OPERATION_NAMES.map((name) => [name, GATEWAY_OPERATIONS[name].effect])),
  async run({ operation, arguments: args }, caller, signal) {
    if (isGatewayOperation(operation)) return operate(deps, operation, args, caller, signal);
    return { ok: false, code: "invalid_request", message: `there is no operation ${operation}` };
  },
});

async function operate(
  deps: GatewayDeps,
  name: GatewayOperation,
  args: JsonObject,
  caller: CapabilityCaller,
  signal: AbortSignal,
): Promise<CapabilityAnswer> {
  const schema: Parameters<typeof readInput>[0] = GATEWAY_OPERATIONS[name].takes;
  const { value: asked, faults } = readInput(schema, args);
  if (faults !== null) {
    const message = faults.map(({ path, message: what }) => `arguments${path && `.${path}`}: ${what}`);
    return { ok: false, code: "invalid_request", message: message.slice(0, FAULTS_MAX).join("; ") };
  }
  // The operation's own schema has read them, which the table can't tell the compiler.
  const operation: Does<CallDeps & TenantDeps, unknown> = OPERATIONS[name];
  const principal = requireTenant(await findCaller(deps.callers, caller), operation.action);
  return { ok: true, value: (await operation.run(deps, principal, asked, signal)) as JsonObject };
}

/** More faults than this help nobody. */
const FAULTS_MAX = 10;
