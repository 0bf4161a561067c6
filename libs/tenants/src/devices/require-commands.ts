import {
  Fault,
  type DeviceCommand,
  type FaultDetail,
  type Rate,
  type RateLimiter,
  type SchemaChecker,
} from "@bulkhead/core";
import { setImmediate as turn } from "node:timers/promises";

/** Commands that a tenant's devices may say anew: each has a schema that is compiled, and together they are an entry in the log. */
const SAID_ANEW: Rate = { count: 600, perMs: 60_000, burst: 3_200 };

export interface RequireDeps {
  schemas: Pick<SchemaChecker, "checkSchema">;
  rateLimiter: Pick<RateLimiter, "take">;
}

/**
 * The schemas of a device's commands are such that arguments can be checked by them. Throws `request.invalid`, and
 * `device.rate_limited` where the tenant's devices say too much anew.
 */
export async function requireCommands(
  { schemas, rateLimiter }: RequireDeps,
  tenantId: string,
  commands: readonly DeviceCommand[],
): Promise<void> {
  const key = { tenantId, name: "device-commands" };
  const { allowed, retryAfterMs } = await rateLimiter.take(key, SAID_ANEW, Math.max(1, commands.length));
  if (!allowed)
    throw new Fault("device.rate_limited", {
      detail: "The tenant's devices say too many commands anew; wait and say them again.",
      retryAfterSeconds: Math.max(1, Math.ceil((retryAfterMs ?? SAID_ANEW.perMs) / 1_000)),
    });
  for (const [n, { parameters }] of commands.entries()) {
    if (parameters === null) continue;
    const { faults } = await schemas.checkSchema(tenantId, parameters, "parameters");
    const errors = faults.map(({ path, message }): FaultDetail => ({
      path: `commands.${n}.${path}`,
      message,
    }));
    const [first] = errors;
    if (first) throw new Fault("request.invalid", { detail: `${first.path}: ${first.message}.`, errors });
    // A schema takes some milliseconds on this very thread, and there may be many.
    await turn();
  }
}
