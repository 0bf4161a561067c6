import { indexOf, parseJson, splitAt } from "./primordials.ts";
import { followSignal, type AbortSignal } from "./abort.ts";
import { takeBody } from "./body.ts";
import { giveUp, requestEffect, type EffectAnswer } from "./effects.ts";
import { gatherContent } from "./gather-content.ts";
import { RemoteBody } from "./remote-body.ts";
import { dictionary } from "./dictionary.ts";
import { requestOf, type RequestInit } from "./request.ts";
import { Response, responseFrom, type ResponseHead } from "./response.ts";

declare const require: (path: string) => unknown;

/** The bound of a body that is a stream, which is sent whole: the highest limit that a run can have. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The web's `fetch`: answered at the response's head, its body is asked of the worker as it is read. A refusal rejects with
 * a TypeError that has a `code`, a signal with its reason.
 */
export async function fetch(input: unknown, init?: RequestInit | null): Promise<Response> {
  const request = requestOf(input, dictionary(init));
  const { method, url, redirect, signal } = request;
  signal.throwIfAborted();
  if (indexOf(url, "data:") === 0) return dataResponse(url, method);
  const content = takeBody(request);
  const body = content === null ? null : await gatherContent(content, BODY_BYTES_MAX);
  signal.throwIfAborted();
  const head = { kind: "fetch", url, method, headers: [...request.headers], redirect };
  const { answered, settled } = send(head, body, signal);
  const answer = await answered;
  settled();
  // A signal that fired while the answer was on its way, or fires while it is handed over.
  signal.throwIfAborted();
  return toResponse(answer, method, signal);
}

/** Answers a `data:` URL, whose content needs no request. */
function dataResponse(url: string, method: string): Response {
  const { readDataUrl } = require("./data-url.ts") as typeof import("./data-url.ts");
  const { type, bytes } = readDataUrl(url);
  const head = { status: 200, statusText: "OK", redirected: false, url: splitAt(url, "#")[0] as string };
  const content = method === "HEAD" ? null : { whole: bytes };
  return responseFrom({ ...head, headers: [["content-type", type]] }, content);
}

function send(
  head: object,
  body: string | Uint8Array | null,
  signal: AbortSignal,
): { answered: Promise<EffectAnswer>; settled: () => void } {
  let settled = (): void => undefined;
  const answered = requestEffect(head, body, (id) => {
    settled = followSignal(signal, (reason) => giveUp(id, reason));
  });
  return { answered, settled: () => settled() };
}

function toResponse(answer: EffectAnswer, method: string, signal: AbortSignal): Response {
  const { done, ...head } = parseJson(answer.head) as ResponseHead & { done: boolean };
  const body = new RemoteBody(answer, done);
  body.whenOver(followSignal(signal, (reason) => body.abort(reason)));
  return responseFrom(head, method === "HEAD" ? null : { source: body });
}
