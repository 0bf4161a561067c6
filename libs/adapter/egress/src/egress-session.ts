import {
  allowsHost,
  type EgressAnswer,
  type EgressOpening,
  type EgressReading,
  type EgressRequest,
  type EgressResponse,
  type EgressSession,
} from "@bulkhead/domain";
import { LOOKUP_MS_MAX, REDIRECT_BODY_BYTES_MAX, REDIRECTS_MAX } from "./bounds.ts";
import { ByteBudget } from "./byte-budget.ts";
import { checkTarget, type CheckTargetDeps } from "./check-target.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { Deadline } from "./deadline.ts";
import { describeFailure } from "./describe-failure.ts";
import { type Exchange, send } from "./exchange.ts";
import { isRedirect, type Outgoing, readOutgoing, redirectTo } from "./outgoing.ts";
import type { Target } from "./parse-target.ts";
import { Refusal } from "./refusal.ts";
import { RequestBudget } from "./request-budget.ts";
import { CODED_BYTES_MORE, type InBudgets, responseBytes } from "./response-bytes.ts";
import { responseHeaders } from "./response-headers.ts";
import { ResponseReader } from "./response-reader.ts";

export interface SessionDeps extends CheckTargetDeps {
  pool: ConnectionPool;
  /** To a response's head, and for each part of its body; milliseconds. */
  requestMsMax: number;
  /** Fires when the broker closes. */
  closing: AbortSignal;
}

/** One run's way out. Requests of one run may overlap; they share its limits. */
export class BoundedSession implements EgressSession {
  readonly #deps: SessionDeps;
  readonly #opening: EgressOpening;
  readonly #requests: RequestBudget;
  readonly #bytesIn: InBudgets;
  readonly #bytesOut: ByteBudget;
  readonly #closing = new AbortController();
  /** Responses that are not read to their end, and those that broke. */
  readonly #bodies = new Map<number, ResponseReader>();

  constructor(deps: SessionDeps, opening: EgressOpening) {
    const { networkRequests, bytesIn, bytesOut } = opening.limits;
    this.#deps = deps;
    this.#opening = opening;
    this.#requests = new RequestBudget(networkRequests);
    this.#bytesIn = {
      plain: new ByteBudget(bytesIn, "in responses"),
      coded: new ByteBudget(bytesIn + CODED_BYTES_MORE, "in compressed responses"),
    };
    this.#bytesOut = new ByteBudget(bytesOut, "in request bodies");
  }

  get requests(): number {
    return this.#requests.sent;
  }

  async fetch(request: EgressRequest, signal: AbortSignal, bodyId: number): Promise<EgressAnswer> {
    const { requestMsMax, closing } = this.#deps;
    const deadline = new Deadline(requestMsMax, [signal, closing, this.#closing.signal]);
    let host = "";
    try {
      let outgoing = readOutgoing(request);
      for (let redirects = 0; ; redirects += 1) {
        host = outgoing.target.host;
        const exchange = await this.#send(outgoing, deadline);
        const next = await follow(exchange, outgoing, request.redirect, redirects, deadline);
        if (next === null) return await this.#answer(exchange, outgoing, redirects > 0, deadline, bodyId);
        outgoing = next;
      }
    } catch (error) {
      deadline.close();
      // What ended the request from outside explains whatever broke inside.
      return (deadline.refusal ?? describeFailure(error, host)).toAnswer();
    }
  }

  async read(bodyId: number, signal: AbortSignal): Promise<EgressReading> {
    const reader = this.#bodies.get(bodyId);
    if (!reader) return new Refusal("invalid_request", "there is no more of this response").toAnswer();
    const reading = await reader.read(this.#deps.requestMsMax, signal);
    if (reading.ok && reading.done) this.#bodies.delete(bodyId);
    return reading;
  }

  close(): void {
    this.#closing.abort();
    this.#bodies.clear();
  }

  /** One request, to an address that was checked for it just now. */
  async #send(outgoing: Outgoing, deadline: Deadline): Promise<Exchange> {
    const addresses = await this.#requests.reserve(() => {
      this.#checkHost(outgoing.target);
      return deadline.race(checkTarget(this.#deps, outgoing.target), LOOKUP_MS_MAX);
    });
    this.#bytesOut.take(outgoing.body?.length ?? 0);
    return send(this.#deps.pool, this.#opening.tenantId, outgoing, addresses, deadline.signal);
  }

  #checkHost({ host, port }: Target): void {
    if (allowsHost(this.#opening.allowedHosts, host, port)) return;
    const reason = `${host} (port ${port}) is not one of the tool's allowedHosts; add it there to allow it`;
    throw new Refusal("egress_denied", reason);
  }

  async #answer(
    exchange: Exchange,
    { target }: Outgoing,
    redirected: boolean,
    deadline: Deadline,
    bodyId: number,
  ): Promise<EgressResponse> {
    const { body, headers, statusCode, statusText } = exchange.response;
    const encoding = [headers["content-encoding"] ?? []].flat().join(",");
    const { bytes, decoded } = responseBytes(body, encoding, this.#bytesIn);
    const reader = new ResponseReader(bytes, exchange, deadline, target.host);
    const part = await reader.first();
    if (!part.done) this.#bodies.set(bodyId, reader);
    return {
      ok: true,
      status: statusCode,
      statusText,
      headers: responseHeaders(headers, decoded),
      url: target.url.href,
      redirected,
      ...part,
    };
  }
}

/** The request that a redirect leads to; null where the answer is for the tool. */
async function follow(
  exchange: Exchange,
  outgoing: Outgoing,
  mode: EgressRequest["redirect"],
  redirects: number,
  { signal }: Deadline,
): Promise<Outgoing | null> {
  const { body, headers, statusCode } = exchange.response;
  const { location } = headers;
  if (mode === "manual" || !isRedirect(statusCode, location)) return null;
  try {
    await body.dump({ limit: REDIRECT_BODY_BYTES_MAX, signal });
  } finally {
    exchange.end();
  }
  if (mode === "error") {
    const reason = `${outgoing.target.host} answered with a redirect, which redirect: "error" refuses`;
    throw new Refusal("failed", reason);
  }
  if (redirects === REDIRECTS_MAX)
    throw new Refusal("failed", `there were more than ${REDIRECTS_MAX} redirects`);
  return redirectTo(outgoing, statusCode, location);
}
