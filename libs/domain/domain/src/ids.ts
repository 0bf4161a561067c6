import { randomBytes } from "node:crypto";

/** `exe_` and a UUIDv7 in hex: sorts by creation time under the C collation. */
export const EXECUTION_ID = /^exe_[0-9a-f]{32}$/;
/** `tool_` and 16 hex digits; no tool may carry such a name. */
export const TOOL_ID = /^tool_[0-9a-f]{16}$/;
export const TENANT_ID = /^ten_[0-9a-f]{16}$/;
export const API_KEY_ID = /^key_[0-9a-f]{16}$/;

const hex = (bytes: number): string => randomBytes(bytes).toString("hex");

export const newToolId = (): string => `tool_${hex(8)}`;
export const newTenantId = (): string => `ten_${hex(8)}`;
export const newApiKeyId = (): string => `key_${hex(8)}`;

/** UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, then version, variant and 74 random bits. */
export function newExecutionId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `exe_${bytes.toString("hex")}`;
}
