import {
  ErrorCtor,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  MapCtor,
  PromiseCtor,
  rejected,
  stringifyJson,
} from "./primordials.ts";
import { TEXT_CHARS_MAX } from "./bounds.ts";
import { post } from "./bridge.ts";
import { encodeBase64 } from "./base64.ts";
import { refusedError } from "./errors.ts";
import { began, ended } from "./outstanding.ts";

/** The host and the worker keep higher bounds; a tool meets this one first. */
const PENDING_MAX = 32;

/** Characters or bytes of a body; as base64 it still passes the bridge. */
const BODY_LENGTH_MAX = (TEXT_CHARS_MAX * 3) / 4;

/** The answer to an effect: `head` is JSON, the body text or, if `isBase64`, base64. */
export interface EffectAnswer {
  id: number;
  head: string;
  body: string;
  isBase64: boolean;
}

interface Waiting {
  resolve: (answer: EffectAnswer) => void;
  reject: (reason: unknown) => void;
  /** Made where the tool asked: a refusal comes when none of the tool's own frames is on the stack. */
  asked: Error;
  isCapability: boolean;
}

const waiting = new MapCtor<number, Waiting>();
let lastId = 0;

/** An id for a request that is sent in another way. */
export const nextRequestId = (): number => ++lastId;

/**
 * Asks the worker for an effect. Rejects with an error that has a `code` when it is refused. `onId` hears the request's
 * id, for `giveUp`, before anything is sent. The body of a `call` is a text, the arguments of a tool; the bytes of a
 * `sign` and of a `capability` don't count as sent by the run.
 */
export function requestEffect(
  head: object,
  body: string | Uint8Array | null,
  onId?: (id: number) => void,
  operation: "effect" | "call" | "sign" | "capability" = "effect",
): Promise<EffectAnswer> {
  if (mapSize(waiting) >= PENDING_MAX) {
    return rejected(refusedError("network_limit", `more than ${PENDING_MAX} requests wait for an answer`));
  }
  const text = stringifyJson(head);
  if (text.length > TEXT_CHARS_MAX || (body !== null && body.length > BODY_LENGTH_MAX))
    return rejected(refusedError("network_limit", "the request is longer than any limit allows"));
  const id = ++lastId;
  const asked = new ErrorCtor();
  return new PromiseCtor((resolve, reject) => {
    mapSet(waiting, id, { resolve, reject, asked, isCapability: operation === "capability" });
    began();
    onId?.(id);
    if (body === null || typeof body === "string") post(operation, id, text, body ?? "");
    else post(`${operation}64`, id, text, encodeBase64(body));
  });
}

/** Rejects the effect with `reason`, if it still waits, and tells the worker that nothing more of it is wanted. */
export function giveUp(id: number, reason: unknown): void {
  const request = take(id);
  post("give_up", id, "", "");
  request?.reject(reason);
}

function take(id: number): Waiting | undefined {
  const request = mapGet(waiting, id) as Waiting | undefined;
  if (mapDelete(waiting, id)) ended();
  return request;
}

/** The host's entries; an answer to an effect that was given up is ignored. */
export const onAnswered = (id: number, head: string, body: string): void =>
  take(id)?.resolve({ id, head, body, isBase64: false });
export const onAnswered64 = (id: number, head: string, body: string): void =>
  take(id)?.resolve({ id, head, body, isBase64: true });
export function onRefused(id: number, code: string, message: string): void {
  const request = take(id);
  request?.reject(refusedError(code, message, request.asked, request.isCapability));
}
