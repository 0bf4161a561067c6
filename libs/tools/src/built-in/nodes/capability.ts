import {
  canonicalJson,
  DEVICE_ID,
  DEVICE_TIMEOUT_MS_DEFAULT,
  DEVICE_TIMEOUT_MS_MAX,
  isObject,
  mayUseDevice,
  type AuditLog,
  type CapabilityAnswer,
  type CapabilityCaller,
  type CapabilityFamily,
  type Device,
  type DeviceCommand,
  type DeviceLines,
  type DeviceRefusal,
  type DeviceStore,
  type DeviceSummary,
  type EffectRefusal,
  type Json,
  type JsonObject,
  type SchemaChecker,
} from "@bulkhead/core";
import { harmless } from "@bulkhead/core/harmless";
import { createHash } from "node:crypto";
import { z } from "zod";
import { refused } from "../named-service.ts";
import { readAsked } from "../read-asked.ts";
import type { DeviceAsker } from "./ask-device.ts";
import { COMMAND_CHARS_MAX, DEVICE_REF_CHARS_MAX, DEVICES_SHOWN_MAX } from "./bounds.ts";

export interface NodeDeps {
  devices: Pick<DeviceStore, "find" | "listUsable">;
  lines: Pick<DeviceLines, "online">;
  asker: Pick<DeviceAsker, "ask">;
  schemas: Pick<SchemaChecker, "checkArguments">;
  audit: AuditLog;
  /** Counts an invocation by how it ended. */
  count(outcome: InvocationOutcome): void;
}

/** `unavailable`: the way to devices could not be gone. */
type InvocationOutcome = DeviceRefusal | "succeeded" | "unavailable";

type Operate = (
  deps: NodeDeps,
  args: JsonObject,
  caller: CapabilityCaller,
  signal: AbortSignal,
) => Promise<CapabilityAnswer>;
type Refused = Extract<CapabilityAnswer, { ok: false }>;

const device = z.string().min(1).max(DEVICE_REF_CHARS_MAX);
const LIST = z.strictObject({});
const DESCRIBE = z.strictObject({ device });
const INVOKE = z.strictObject({
  device,
  command: z.string().min(1).max(COMMAND_CHARS_MAX),
  arguments: z.custom<JsonObject>((said) => isObject(said as Json), "must be an object").default({}),
  timeoutMs: z.int().min(1).max(DEVICE_TIMEOUT_MS_MAX).default(DEVICE_TIMEOUT_MS_DEFAULT),
});

const list: Operate = async ({ devices, lines }, args, caller) => {
  const read = readAsked(LIST, args);
  if (!read.ok) return read;
  const found = await devices.listUsable(caller.tenantId, caller, { limit: DEVICES_SHOWN_MAX + 1 });
  const online = new Set(await lines.online(caller.tenantId));
  const shown = found.slice(0, DEVICES_SHOWN_MAX).map((one) => ({
    ...tell(one, online.has(one.deviceId)),
    commands: [...one.commandNames],
  }));
  return { ok: true, value: { devices: shown, more: found.length > DEVICES_SHOWN_MAX } };
};

const describe: Operate = async (deps, args, caller) => {
  const read = readAsked(DESCRIBE, args);
  if (!read.ok) return read;
  const found = await findDevice(deps, caller, read.asked.device);
  if (!("deviceId" in found)) return found;
  const online = (await deps.lines.online(caller.tenantId)).includes(found.deviceId);
  const commands = found.commands.map(({ name, description, parameters }) => ({
    name,
    description: harmless(description),
    parameters,
  }));
  return { ok: true, value: { ...tell(found, online), commands } };
};

const invoke: Operate = async (deps, args, caller, signal) => {
  const read = readAsked(INVOKE, args);
  if (!read.ok) return read;
  const { command: name, arguments: given, timeoutMs } = read.asked;
  const found = await findDevice(deps, caller, read.asked.device);
  if (!("deviceId" in found)) return found;
  const command = found.commands.find((one) => one.name === name);
  if (!command)
    return refused(
      "not_found",
      `"${found.name}" has no command "${name}"; it has: ${found.commands.map((one) => one.name).join(", ") || "none"}.`,
    );
  const wrong = await whyNotFitting(deps, found, command, given);
  if (wrong) return wrong;
  const { tenantId } = caller;
  const asking = {
    device: { tenantId, deviceId: found.deviceId },
    command: name,
    arguments: given,
    timeoutMs,
  };
  const about = { device: found.name, command: name };
  const onProgress = (message: string): void => caller.progress?.({ ...about, message: harmless(message) });
  let outcome: InvocationOutcome = "unavailable";
  try {
    const answer = await deps.asker.ask(asking, onProgress, signal);
    outcome = answer.ok ? "succeeded" : answer.code;
    if (answer.ok) return { ok: true, value: { ...about, value: JSON.parse(answer.valueJson) as Json } };
    const says = answer.code === "failed" ? `"${found.name}" says: ` : `"${found.name}": `;
    return refused(REFUSALS[answer.code], `${says}${harmless(answer.message)}`);
  } finally {
    deps.count(outcome);
    const { executionId, toolName, agentId } = caller;
    await deps.audit.record(null, tenantId, {
      action: "device.command_invoked",
      id: found.deviceId,
      name: found.name,
      details: { command: name, executionId, tool: toolName, ...(agentId !== null && { agentId }), outcome },
    });
  }
};

const REFUSALS: Readonly<Record<DeviceRefusal, EffectRefusal>> = {
  failed: "failed",
  timeout: "timeout",
  aborted: "aborted",
  offline: "unavailable",
  lost: "outcome_unknown",
  busy: "capability_limit",
  too_large: "capability_limit",
};

const OPERATIONS: ReadonlyMap<string, Operate> = new Map([
  ["list", list],
  ["describe", describe],
  ["invoke", invoke],
]);

/** The capability `nodes`: the paired devices that the caller may use, and their commands. What they say is a stranger's. */
export const openNodes = (deps: NodeDeps): CapabilityFamily => ({
  operations: new Map([...OPERATIONS.keys()].map((name) => [name, name === "invoke" ? "writes" : "reads"])),
  coversAnswers: true,
  async run({ operation, arguments: args }, caller, signal) {
    const operate = OPERATIONS.get(operation);
    if (operate) return operate(deps, args, caller, signal);
    return refused("invalid_request", `there is no operation ${operation}`);
  },
});

const tell = ({ deviceId, name, platform }: Device | DeviceSummary, online: boolean) => ({
  id: deviceId,
  name: harmless(name),
  platform,
  online,
});

/** The enabled device of this id or this name that the caller may use; any other does not exist to it. */
async function findDevice(
  { devices }: Pick<NodeDeps, "devices">,
  caller: CapabilityCaller,
  ref: string,
): Promise<Device | Refused> {
  const { tenantId } = caller;
  const usable = async (deviceId: string): Promise<Device | null> => {
    const found = await devices.find({ tenantId, deviceId });
    return found?.enabled && mayUseDevice(found, caller) ? found : null;
  };
  const byId = DEVICE_ID.test(ref) ? await usable(ref) : null;
  if (byId) return byId;
  const [named, another] = await devices.listUsable(tenantId, caller, { name: ref, limit: 2 });
  if (another)
    return refused("conflict", `Several devices are called "${ref}"; name one by its id, as list shows it.`);
  const found = named ? await usable(named.deviceId) : null;
  return found ?? refused("not_found", `There is no device "${ref}" that you may use; list shows them.`);
}

/** Why the arguments don't leave; null where they fit. */
async function whyNotFitting(
  { schemas }: Pick<NodeDeps, "schemas">,
  { tenantId, deviceId }: Device,
  { name, parameters }: DeviceCommand,
  given: JsonObject,
): Promise<Refused | null> {
  if (parameters === null) return null;
  const hash = createHash("sha256").update(canonicalJson(parameters)).digest("hex");
  const key = `${deviceId} ${name} ${hash}`;
  const [fault] = await schemas.checkArguments(tenantId, key, parameters, given);
  return fault ? refused("invalid_request", `${fault.path}: ${fault.message}`) : null;
}
