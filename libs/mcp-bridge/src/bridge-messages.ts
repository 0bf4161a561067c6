import type { LogLine, McpAnswer, McpLook, McpServerKey, McpToolCall } from "@bulkhead/core";

/** What a process asks of the one that holds a server, and what becomes of what it has asked; `id` names the asking. */
export type ToHolder = { from: string; id: string } & (
  | { type: "call"; call: McpToolCall }
  | { type: "look"; key: McpServerKey }
  | { type: "drop"; key: McpServerKey }
  /** The answer to `send`. */
  | { type: "go"; may: boolean }
  | { type: "cancel" }
);

export type ToAsker = { id: string } &
  /** Whether the call may leave now. */
  (
    | { type: "send" }
    | { type: "progress"; json: string }
    | { type: "log"; lines: LogLine[] }
    | { type: "answer"; answer: McpAnswer }
    | { type: "looked"; look: McpLook }
    | { type: "dropped" }
    /** Another process holds the server; nothing was done. */
    | { type: "moved" }
  );

export type BridgeMessage = ToHolder | ToAsker;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const areTexts = (of: unknown, ...names: string[]): boolean =>
  isFields(of) && names.every((name) => typeof of[name] === "string");

const isKey = (key: unknown): boolean => areTexts(key, "tenantId", "name");
const isCall = (call: unknown): boolean =>
  areTexts(call, "tenantId", "server", "tool", "executionId", "pin", "argumentsJson") &&
  isFields(call) &&
  typeof call["timeoutMs"] === "number" &&
  (call["traceparent"] === null || typeof call["traceparent"] === "string");
const isTimed = (answer: Fields): boolean =>
  typeof answer["connectMs"] === "number" && typeof answer["callMs"] === "number";
const isAnswer = (answer: unknown): boolean =>
  isFields(answer) &&
  isTimed(answer) &&
  (answer["ok"] === true ? areTexts(answer, "resultJson") : areTexts(answer, "code", "message"));
const isLook = (look: unknown): boolean =>
  isFields(look) && (look["ok"] === true ? Array.isArray(look["offers"]) : areTexts(look, "message"));

const FITS = {
  call: (one) => areTexts(one, "from") && isCall(one["call"]),
  look: (one) => areTexts(one, "from") && isKey(one["key"]),
  drop: (one) => areTexts(one, "from") && isKey(one["key"]),
  go: (one) => areTexts(one, "from") && typeof one["may"] === "boolean",
  cancel: (one) => areTexts(one, "from"),
  send: () => true,
  progress: (one) => areTexts(one, "json"),
  log: ({ lines }) => Array.isArray(lines) && lines.every((line) => areTexts(line, "level", "text")),
  answer: (one) => isAnswer(one["answer"]),
  looked: (one) => isLook(one["look"]),
  dropped: () => true,
  moved: () => true,
} satisfies Record<BridgeMessage["type"], (one: Fields) => boolean>;

/** Null for a text that is no message of a bridge's. */
export function readMessage(text: string): BridgeMessage | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(read) || !areTexts(read, "id", "type")) return null;
  const fits = Object.entries(FITS).find(([type]) => type === read["type"])?.[1];
  // The table above says for each type what this type of ours demands.
  return fits?.(read) === true ? (read as unknown as BridgeMessage) : null;
}
