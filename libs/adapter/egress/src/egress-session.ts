import type { EgressAnswer, EgressRequest, EgressSession, RunLimits } from "@bulkhead/domain";
import type { Dispatcher } from "undici";
import type { Address } from "./address.ts";
import { LOOKUP_MS_MAX, REDIRECT_BODY_BYTES_MAX, REDIRECTS_MAX } from "./bounds.ts";
import { ByteBudget } from "./byte-budget.ts";
import { checkTarget, type CheckTargetDeps } from "./check-target.ts";
import type { Connections } from "./connections.ts";
import { Deadline } from "./deadline.ts";
import { ACCEPT_ENCODING } from "./decode-body.ts";
import { describeFailure } from "./describe-failure.ts";
import { isRedirect, type Outgoing, readOutgoing, redirectTo } from "./outgoing.ts";
import { readBody } from "./read-body.ts";
import { Refusal } from "./refusal.ts";
import { RequestBudget } from "./request-budget.ts";
import { responseHeaders } from "./response-headers.ts";

export interface SessionDeps extends CheckTargetDeps {
  connections: Connections;
  /** For one fetch, redirects included; milliseconds. */
  requestMsMax: number;
  /** Fires when the broker closes. */
  closing: AbortSignal;
}

export type SessionLimits = Pick<RunLimits, "networkRequests" | "bytesIn" | "bytesOut">;

type Answered = Extract<EgressAnswer, { ok: true }>;

/** One run's way out. Requests of one run may overlap; they share its limits and connections. */
export class BoundedSession implements EgressSession {
  readonly #deps: SessionDeps;
  readonly #requests: RequestBudget;
  readonly #bytesIn: ByteBudget;
  readonly #bytesOut: ByteBudget;

  constructor(deps: SessionDeps, limits: SessionLimits) {
    this.#deps = deps;
    this.#requests = new RequestBudget(limits.networkRequests);
    this.#bytesIn = new ByteBudget(limits.bytesIn, "in responses");
    this.#bytesOut = new ByteBudget(limits.bytesOut, "in request bodies");
  }

  get requests(): number {
    return this.#requests.sent;
  }

  async fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
    const deadline = new Deadline(this.#deps.requestMsMax, [signal, this.#deps.closing]);
    let host = "";
    try {
      let outgoing = readOutgoing(request);
      for (let redirects = 0; ; redirects += 1) {
        host = outgoing.target.host;
        const next = await this.#hop(outgoing, request.redirect, redirects, deadline);
        if ("answer" in next) return next.answer;
        outgoing = next.outgoing;
      }
    } catch (error) {
      // What ended the request from outside explains whatever broke inside.
      return (deadline.refusal ?? describeFailure(error, host)).toAnswer();
    } finally {
      deadline.close();
    }
  }

  /** One request and its answer, or the request that a redirect leads to. */
  async #hop(
    outgoing: Outgoing,
    mode: EgressRequest["redirect"],
    redirects: number,
    deadline: Deadline,
  ): Promise<{ answer: Answered } | { outgoing: Outgoing }> {
    const addresses = await this.#requests.reserve(() =>
      deadline.race(checkTarget(this.#deps, outgoing.target), LOOKUP_MS_MAX),
    );
    this.#bytesOut.take(outgoing.body?.length ?? 0);
    return this.#send(outgoing, addresses, deadline, async (response) => {
      const { location } = response.headers;
      if (mode !== "manual" && isRedirect(response.statusCode, location)) {
        await response.body.dump({ limit: REDIRECT_BODY_BYTES_MAX, signal: deadline.signal });
        if (mode === "error")
          throw new Refusal(
            "failed",
            `${outgoing.target.host} answered with a redirect, which redirect: "error" refuses`,
          );
        if (redirects === REDIRECTS_MAX)
          throw new Refusal("failed", `there were more than ${REDIRECTS_MAX} redirects`);
        return { outgoing: redirectTo(outgoing, response.statusCode, location) };
      }
      return { answer: await this.#read(response, outgoing.target.url, redirects > 0) };
    });
  }

  #send<T>(
    { target, method, headers, body }: Outgoing,
    addresses: readonly Address[],
    { signal }: Deadline,
    onResponse: (response: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const all = ["accept-encoding", ACCEPT_ENCODING, ...headers.flat()];
    if (!headers.some(([name]) => name === "user-agent")) all.push("user-agent", "bulkhead");
    return this.#deps.connections.use(target.origin, addresses, async (agent) => {
      const path = target.url.pathname + target.url.search;
      const response = await agent.request({
        origin: target.origin,
        path,
        method,
        headers: all,
        body,
        signal,
      });
      // A body that is given up says so as an error, which nobody is left to hear.
      response.body.on("error", () => undefined);
      try {
        return await onResponse(response);
      } finally {
        // Without effect on a body that was read to its end; else it gives the connection up.
        response.body.destroy();
      }
    });
  }

  async #read(response: Dispatcher.ResponseData, url: URL, redirected: boolean): Promise<Answered> {
    const encoding = [response.headers["content-encoding"] ?? []].flat().join(",");
    const { body, bodyEncoding, decoded } = await readBody(response.body, encoding, this.#bytesIn);
    return {
      ok: true,
      status: response.statusCode,
      statusText: response.statusText,
      headers: responseHeaders(response.headers, decoded),
      url: url.href,
      redirected,
      body,
      bodyEncoding,
    };
  }
}
