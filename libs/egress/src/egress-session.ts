import {
  allowsHost,
  REDACTED,
  type EgressAnswer,
  type EgressOpening,
  type EgressReading,
  type EgressRequest,
  type EgressResponse,
  type EgressSession,
  type EgressUse,
  type PlacedSecret,
  type Scrubbers,
} from "@bulkhead/core";
import { AnswerCovers } from "./answer-covers.ts";
import { LOOKUP_MS_MAX } from "./bounds.ts";
import { ByteBudget } from "./byte-budget.ts";
import { checkTarget, type CheckTargetDeps } from "./check-target.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { coverBytes, coverHead, coverText } from "./cover-response.ts";
import { Deadline } from "./deadline.ts";
import { describeFailure } from "./describe-failure.ts";
import { type Exchange, send } from "./exchange.ts";
import { followRedirect } from "./follow-redirect.ts";
import { type Outgoing, readOutgoing } from "./outgoing.ts";
import type { Target } from "./parse-target.ts";
import { RedirectSecrets } from "./redirect-secrets.ts";
import { Refusal } from "./refusal.ts";
import { RequestBudget } from "./request-budget.ts";
import { CODED_BYTES_MORE, type InBudgets, responseBytes } from "./response-bytes.ts";
import { responseHeaders } from "./response-headers.ts";
import { ResponseReader } from "./response-reader.ts";
import { SecretExchange } from "./secret-exchange.ts";
import { askWhole, takeWhole } from "./whole-answers.ts";

/** Gets the counts of covered values in one run's answers: once, when its session closes. */
export type CoverTally = (tenantId: string, counts: ReadonlyMap<string, number>) => void;

export interface SessionDeps extends CheckTargetDeps {
  pool: ConnectionPool;
  scrubbers: Pick<Scrubbers, "open">;
  /** To a response's head, and for each part of its body, where the opening says nothing else; milliseconds. */
  requestMsMax: number;
  tally: CoverTally;
  /** Fires when the broker closes. */
  closing: AbortSignal;
}

/** What all sessions of one run use up together. */
interface Budgets {
  requests: RequestBudget;
  bytesIn: InBudgets;
  bytesOut: ByteBudget;
}

/** One run's way out. Requests of one run may overlap; they share its limits. */
export class BoundedSession implements EgressSession {
  readonly #deps: SessionDeps;
  readonly #opening: EgressOpening;
  readonly #budgets: Budgets;
  readonly #secrets: SecretExchange;
  readonly #covers: AnswerCovers;
  readonly #waitMsMax: number;
  readonly #closing = new AbortController();
  /** Responses that are not read to their end, and those that broke. */
  readonly #bodies = new Map<number, ResponseReader>();

  constructor(deps: SessionDeps, opening: EgressOpening, budgets = budgetsOf(opening.limits)) {
    this.#deps = deps;
    this.#opening = opening;
    this.#waitMsMax = opening.waitMsMax ?? deps.requestMsMax;
    this.#budgets = budgets;
    this.#secrets = new SecretExchange(opening.secrets, opening.limits.bytesOut);
    this.#covers = new AnswerCovers(deps.scrubbers, opening.secrets);
  }

  get requests(): number {
    return this.#budgets.requests.sent;
  }

  get bytesIn(): number {
    return this.#budgets.bytesIn.plain.taken;
  }

  get bytesOut(): number {
    return this.#budgets.bytesOut.taken;
  }

  get left(): EgressUse {
    const { requests, bytesIn, bytesOut } = this.#budgets;
    return { networkRequests: requests.left, bytesIn: bytesIn.plain.left, bytesOut: bytesOut.left };
  }

  charge(used: EgressUse): void {
    const { requests, bytesIn, bytesOut } = this.#budgets;
    requests.charge(used.networkRequests);
    bytesIn.plain.charge(used.bytesIn);
    bytesOut.charge(used.bytesOut);
  }

  async fetch(request: EgressRequest, signal: AbortSignal, bodyId: number): Promise<EgressAnswer> {
    const deadline = new Deadline(this.#waitMsMax, [signal, this.#deps.closing, this.#closing.signal]);
    const secrets = new RedirectSecrets(this.#secrets);
    let asked: Outgoing | null = null;
    try {
      let outgoing = readOutgoing(request);
      for (let redirects = 0; ; redirects += 1) {
        asked = outgoing;
        const exchange = await this.#send(outgoing, secrets, deadline);
        const hop = { mode: request.redirect, redirects, secrets, signal: deadline.signal };
        const next = await followRedirect(exchange, outgoing, hop);
        if (next === null) {
          const shownUrl = secrets.isUrlSecret ? REDACTED : outgoing.target.url.href;
          const head = { url: shownUrl, redirected: redirects > 0 };
          return await this.#answer(exchange, outgoing.target, head, deadline, bodyId);
        }
        outgoing = next;
      }
    } catch (error) {
      deadline.close();
      // A reason from outside that ended the request explains whatever broke inside.
      const answer = (deadline.refusal ?? describeFailure(error, asked?.target.host ?? "")).toAnswer();
      // A message names hosts, and a redirect's is in the words of an upstream that knows a secret.
      return { ...answer, message: this.#cover(answer.message, asked?.target) };
    }
  }

  async read(bodyId: number, signal: AbortSignal): Promise<EgressReading> {
    const reader = this.#bodies.get(bodyId);
    if (!reader) return new Refusal("invalid_request", "there is no more of this response").toAnswer();
    const reading = await reader.read(this.#waitMsMax, signal);
    if (reading.ok && reading.done) this.#bodies.delete(bodyId);
    return reading;
  }

  withSecrets(secrets: readonly PlacedSecret[], waitMsMax = this.#waitMsMax): EgressSession {
    const closing = AbortSignal.any([this.#deps.closing, this.#closing.signal]);
    const opening = { ...this.#opening, secrets, waitMsMax };
    return new BoundedSession({ ...this.#deps, closing }, opening, this.#budgets);
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#bodies.clear();
    const { counts } = this.#covers;
    if (counts.size > 0) this.#deps.tally(this.#opening.tenantId, counts);
  }

  /** One request with its secrets, to an address that was checked for it just now. */
  async #send(outgoing: Outgoing, { sentOpenly }: RedirectSecrets, deadline: Deadline): Promise<Exchange> {
    let filled = outgoing;
    const addresses = await this.#budgets.requests.reserve(() => {
      this.#checkHost(outgoing.target);
      const secret = this.#covers.someSecretOf(outgoing.target);
      if (secret) askWhole(outgoing.headers, outgoing.target.host, secret);
      filled = this.#secrets.fill(outgoing, sentOpenly);
      return deadline.race(checkTarget(this.#deps, outgoing.target), LOOKUP_MS_MAX);
    });
    this.#budgets.bytesOut.take(filled.body?.length ?? 0);
    const { tenantId } = this.#opening;
    return send(
      this.#deps.pool,
      tenantId,
      filled,
      { addresses, waitMsMax: this.#waitMsMax },
      deadline.signal,
    );
  }

  #checkHost({ host, port }: Target): void {
    if (allowsHost(this.#opening.allowedHosts, host, port)) return;
    const reason = `${host} (port ${port}) is not one of the tool's allowedHosts; add it there to allow it`;
    throw new Refusal("egress_denied", reason);
  }

  #checkWhole(exchange: Exchange, target: Target): void {
    const secret = this.#covers.someSecretOf(target);
    if (!secret) return;
    try {
      takeWhole(exchange.response, target.host, secret);
    } catch (refusal) {
      exchange.end();
      throw refusal;
    }
  }

  /** A text that a host may have had words in. */
  #cover(text: string, target: Target | undefined): string {
    const cover = target ? this.#covers.of(target) : null;
    return cover ? coverText(text, cover) : text;
  }

  async #answer(
    exchange: Exchange,
    target: Target,
    { url, redirected }: Pick<EgressResponse, "url" | "redirected">,
    deadline: Deadline,
    bodyId: number,
  ): Promise<EgressResponse> {
    const { body, headers, statusCode, statusText } = exchange.response;
    this.#checkWhole(exchange, target);
    const encoding = [headers["content-encoding"] ?? []].flat().join(",");
    const { bytes, decoded } = responseBytes(body, encoding, this.#budgets.bytesIn);
    const cover = this.#covers.of(target);
    const shown = cover ? coverBytes(bytes, cover) : bytes;
    const head = { statusText, headers: responseHeaders(headers, decoded), url };
    const reader = new ResponseReader(shown, exchange, deadline, this.#cover(target.host, target));
    const part = await reader.first();
    if (!part.done) this.#bodies.set(bodyId, reader);
    return {
      ok: true,
      status: statusCode,
      ...(cover ? coverHead(head, cover) : head),
      redirected,
      ...part,
    };
  }
}

const budgetsOf = ({ networkRequests, bytesIn, bytesOut }: EgressOpening["limits"]): Budgets => ({
  requests: new RequestBudget(networkRequests),
  bytesIn: {
    plain: new ByteBudget(bytesIn, "in responses"),
    coded: new ByteBudget(bytesIn + CODED_BYTES_MORE, "in compressed responses"),
  },
  bytesOut: new ByteBudget(bytesOut, "in request bodies"),
});
