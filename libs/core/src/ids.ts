import { randomBytes } from "node:crypto";

/** `exe_` and a UUIDv7 in hex: sorts by creation time under the C collation. */
export const EXECUTION_ID = /^exe_[0-9a-f]{32}$/;
/** `tool_` and 16 hex digits; no tool may carry such a name. */
export const TOOL_ID = /^tool_[0-9a-f]{16}$/;
export const TENANT_ID = /^ten_[0-9a-f]{16}$/;
export const SCHEDULE_ID = /^sch_[0-9a-f]{16}$/;
export const DEVICE_ID = /^dev_[0-9a-f]{16}$/;
export const STANDING_ID = /^sta_[0-9a-f]{16}$/;

/** Drawn from the system at once: each draw by itself costs more than the id that it is for. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

function takeRandom(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const taken = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return taken;
}

const hex = (bytes: number): string => takeRandom(bytes).toString("hex");

/** A command in the background. */
export const newProcessId = (): string => `prc_${hex(16)}`;
export const newToolId = (): string => `tool_${hex(8)}`;
export const newTenantId = (): string => `ten_${hex(8)}`;
export const newApiKeyId = (): string => `key_${hex(8)}`;
export const newAccessTokenId = (): string => `tok_${hex(8)}`;
export const newStandingId = (): string => `sta_${hex(8)}`;
export const newAuditId = (): string => `aud_${hex(8)}`;
export const newDataKeyId = (): string => `dk_${hex(8)}`;
export const newScrubRuleId = (): string => `scr_${hex(8)}`;
export const newMcpRequestId = (): string => `mar_${hex(8)}`;
export const newScheduleId = (): string => `sch_${hex(8)}`;
export const newCollectionId = (): string => `dat_${hex(8)}`;
export const newGoalId = (): string => `goal_${hex(8)}`;
export const newDeviceId = (): string => `dev_${hex(8)}`;
export const newPairingCodeId = (): string => `pair_${hex(8)}`;
export const newFileId = (): string => `file_${hex(8)}`;

/** A trace id as W3C Trace Context writes it, for work that begins a trace of its own. */
export const newTraceId = (): string => hex(16);

/** The largest count of ids within a millisecond; further ids of the same millisecond are in no order. */
const COUNTER_MAX = 0xfff;
let counted = { at: 0, counter: 0 };

/** How many ids of that millisecond this process has made before, one after the other. */
function countIn(at: number): number {
  counted = { at, counter: counted.at === at ? Math.min(counted.counter + 1, COUNTER_MAX) : 0 };
  return counted.counter;
}

/**
 * UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, version, 12 bits that count the ids of that millisecond (6.2,
 * method 1), variant, 62 random bits. The ids of one process are in the order of their making, within a batch too:
 * positions in the queue and all sweeps rely on it.
 */
export function newExecutionId(at: Date): string {
  const bytes = takeRandom(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | countIn(at.getTime()), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `exe_${bytes.toString("hex")}`;
}

/** When the id was made, to the millisecond. */
export const createdAtOf = (executionId: string): Date =>
  new Date(Number.parseInt(executionId.slice(4, 16), 16));

/** What no id of that moment or a later one comes before, for moments from 1970 on. */
export const executionIdFloor = (at: Date): string => `exe_${at.getTime().toString(16).padStart(12, "0")}`;

/** The id of the `n`th delivery of an execution's end. */
export const deliveryId = (executionId: string, n: number): string => `dlv_${executionId.slice(4)}_${n}`;

/**
 * The `webhook-id` that receivers see. By Standard Webhooks it names the message, however often it is sent: an execution
 * ends once, so all deliveries of the end, and all their tries, have the id of the first one.
 */
export const webhookId = (executionId: string): string => deliveryId(executionId, 1);
