import {
  CALLBACK_URL_CHARS_MAX,
  webhookId,
  type ClaimedDelivery,
  type Clock,
  type DeliveryOutcome,
  type EgressAnswer,
  type EgressBroker,
  type ExecutionStore,
  type Vault,
  Fault,
} from "@bulkhead/core";
import { CALLBACK_BODY_BYTES_MAX, eventBodyOf } from "./event-body.ts";
import { readRetryAfter, retryDelayMs, type RetryPlan } from "./retry-plan.ts";
import { keysOf, signatureOf } from "./sign.ts";

export interface SendDeps {
  executions: Pick<ExecutionStore, "find">;
  egress: Pick<EgressBroker, "open">;
  vault: Pick<Vault, "open" | "derive">;
  clock: Clock;
  random: () => number;
  plan: RetryPlan;
}

/** From the look-up of the name to the head of the answer; milliseconds. */
const SEND_MS_MAX = 15_000;
/** Bytes of an answer's body, which nobody reads: enough to keep the connection of one that says a word. */
const ANSWER_BYTES_MAX = 64 * 1024;
const ERROR_CHARS_MAX = 300;
const GONE = 410;

/** Sends one delivery once, and says what follows. Never rejects; the signal ends it, and it is then due at once. */
export async function send(
  deps: SendDeps,
  claimed: ClaimedDelivery,
  stopping: AbortSignal,
): Promise<DeliveryOutcome> {
  const start = performance.now();
  const took = (): number => Math.round(performance.now() - start);
  try {
    const timeout = AbortSignal.timeout(SEND_MS_MAX);
    const answer = await post(deps, claimed, AbortSignal.any([stopping, timeout]));
    if (answer.ok) {
      const { status } = answer;
      const location = sentTo(claimed.url, answer);
      return { status, error: null, location, ms: took(), verdict: judge(deps, claimed, answer) };
    }
    if (stopping.aborted) {
      const error = "the worker stopped before it had an answer";
      return { status: null, error, location: null, ms: took(), verdict: { next: "retry", delayMs: 0 } };
    }
    const error = timeout.aborted ? `there was no answer within ${SEND_MS_MAX} ms` : answer.message;
    return failed(deps, claimed, error, took());
  } catch (error) {
    const why = error instanceof Fault ? `it could not be made: ${error.title}` : "it could not be made";
    return failed(deps, claimed, why, took());
  }
}

async function post(deps: SendDeps, claimed: ClaimedDelivery, signal: AbortSignal): Promise<EgressAnswer> {
  const { tenantId, executionId, url } = claimed;
  const ended = await deps.executions.find({ tenantId, executionId });
  if (!ended) throw new Fault("execution.not_found");
  const body = eventBodyOf(ended);
  const id = webhookId(executionId);
  const timestamp = Math.floor(deps.clock().getTime() / 1_000);
  const signature = signatureOf({ id, timestamp, body }, await keysOf(deps.vault, claimed));
  const limits = { networkRequests: 1, bytesIn: ANSWER_BYTES_MAX, bytesOut: 2 * CALLBACK_BODY_BYTES_MAX };
  const session = deps.egress.open({ tenantId, limits, allowedHosts: null, secrets: [] });
  try {
    const headers: [string, string][] = [
      ["content-type", "application/json"],
      ["user-agent", "Bulkhead-Webhooks"],
      ["webhook-id", id],
      ["webhook-timestamp", String(timestamp)],
      ["webhook-signature", signature],
    ];
    const request = { url, method: "POST", headers, body, bodyEncoding: "utf8" } as const;
    // A redirect is an answer like any other that is no success: whoever moves tells the caller.
    return await session.fetch({ ...request, redirect: "manual" }, signal, 1);
  } finally {
    session.close();
  }
}

/** Where a redirect leads, without a password and in text that can be stored; null for any other answer. */
function sentTo(url: string, { status, headers }: Extract<EgressAnswer, { ok: true }>): string | null {
  if (status < 300 || status > 399) return null;
  const said = headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (said === undefined || !URL.canParse(said, url)) return null;
  const target = new URL(said, url);
  target.username = "";
  target.password = "";
  return target.href.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, CALLBACK_URL_CHARS_MAX);
}

function judge(
  deps: SendDeps,
  { tryNumber }: ClaimedDelivery,
  { status, headers }: Extract<EgressAnswer, { ok: true }>,
): DeliveryOutcome["verdict"] {
  if (status >= 200 && status < 300) return { next: "delivered" };
  if (status === GONE) return { next: "failed" };
  const asked = readRetryAfter(headers, deps.clock());
  return { next: "retry", delayMs: retryDelayMs(deps.plan, tryNumber, asked, deps.random()) };
}

function failed(deps: SendDeps, { tryNumber }: ClaimedDelivery, error: string, ms: number): DeliveryOutcome {
  const delayMs = retryDelayMs(deps.plan, tryNumber, null, deps.random());
  // The text must be storable in a row, whatever a server or a name was able to put into it.
  const storable = error.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, ERROR_CHARS_MAX);
  return { status: null, error: storable, location: null, ms, verdict: { next: "retry", delayMs } };
}
