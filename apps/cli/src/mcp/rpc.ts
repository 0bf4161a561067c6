import { randomUUID } from "node:crypto";
import { PROTOCOL_VERSION_META_KEY, SdkHttpError, type JSONRPCRequest } from "@modelcontextprotocol/client";

const HTTP_UNAUTHORIZED = 401;
const HTTP_BUSY = new Set([429, 502, 503, 504]);
const RPC_INTERNAL_ERROR = -32_603;
const IDEMPOTENCY_KEY = "bulkhead/idempotencyKey";

/** A call of a tool gets a key under which the server accepts it once, unless its client gave it one. */
export function onceOnly(message: JSONRPCRequest): JSONRPCRequest {
  if (message.method !== "tools/call") return message;
  const meta = message.params?._meta ?? {};
  return {
    ...message,
    params: { ...message.params, _meta: { [IDEMPOTENCY_KEY]: randomUUID(), ...meta } },
  };
}

/** Of the revision without sessions, in which a request is cancelled by leaving it. */
export const isStateless = ({ params }: JSONRPCRequest): boolean =>
  params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;

/** Whether trying again may help: nobody answered, or nobody has time. */
export const mayPass = (error: unknown): boolean =>
  error instanceof SdkHttpError ? HTTP_BUSY.has(error.status) : error instanceof TypeError;

/** The server's own words where it answered in the protocol's; else what happened and what to do. */
export function rpcError(error: unknown, login: string): { code: number; message: string; data?: unknown } {
  if (!(error instanceof SdkHttpError))
    return { code: RPC_INTERNAL_ERROR, message: `The Bulkhead server can't be reached: ${String(error)}` };
  if (error.status === HTTP_UNAUTHORIZED)
    return { code: RPC_INTERNAL_ERROR, message: `The key is not valid any more. Run: ${login}` };
  const status = { code: RPC_INTERNAL_ERROR, message: `The Bulkhead server answered ${error.status}.` };
  try {
    const told = JSON.parse(String(error.data.text)) as { error?: Partial<typeof status> } | null;
    const { code, message } = told?.error ?? {};
    return typeof code === "number" && typeof message === "string"
      ? { ...told?.error, code, message }
      : status;
  } catch {
    // Something else than the endpoint answered, such as a proxy.
    return status;
  }
}
