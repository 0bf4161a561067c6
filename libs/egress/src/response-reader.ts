import type { EgressPart, EgressReading } from "@bulkhead/core";
import { FIRST_PART_BYTES_MAX, FIRST_PART_MS_MAX, PART_BYTES_MAX, PART_MS_MAX } from "./bounds.ts";
import type { Deadline } from "./deadline.ts";
import type { Bytes } from "./decode-body.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Exchange } from "./exchange.ts";
import { OpenBody } from "./open-body.ts";
import { Refusal } from "./refusal.ts";

const FIRST = { bytesMax: FIRST_PART_BYTES_MAX, msMax: FIRST_PART_MS_MAX, mayBeEmpty: true };
const FURTHER = { bytesMax: PART_BYTES_MAX, msMax: PART_MS_MAX, mayBeEmpty: false };

/** One response's body, with the connection and the deadline that it keeps. */
export class ResponseReader {
  readonly #body: OpenBody;
  readonly #exchange: Exchange;
  readonly #deadline: Deadline;
  readonly #host: string;
  #isReading = false;
  #refusal: Refusal | null = null;

  constructor(bytes: Bytes, exchange: Exchange, deadline: Deadline, host: string) {
    this.#body = new OpenBody(bytes);
    this.#exchange = exchange;
    this.#deadline = deadline;
    this.#host = host;
    if (deadline.signal.aborted) this.#end();
    else deadline.signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** The part that came with the head. The first read reports a source that broke already. */
  async first(): Promise<EgressPart> {
    const part = await this.#body.take(FIRST);
    this.#deadline.pause();
    if (part.done) this.#end();
    return part;
  }

  /** The next part, within `msMax`. Never rejects; a refusal stays. */
  async read(msMax: number, signal: AbortSignal): Promise<EgressReading> {
    if (this.#refusal) return this.#refusal.toAnswer();
    if (this.#isReading) return new Refusal("invalid_request", "the body is being read already").toAnswer();
    const abort = (): void => this.#deadline.abort();
    this.#isReading = true;
    this.#deadline.allow(msMax, `nothing more of the response came for ${msMax} ms`);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    try {
      if (this.#deadline.refusal) throw this.#deadline.refusal;
      const part = await this.#body.take(FURTHER);
      if (part.done) this.#end();
      return { ok: true, ...part };
    } catch (error) {
      this.#refusal = this.#deadline.refusal ?? describeFailure(error, this.#host);
      this.#end();
      return this.#refusal.toAnswer();
    } finally {
      this.#isReading = false;
      this.#deadline.pause();
      signal.removeEventListener("abort", abort);
    }
  }

  #end(): void {
    this.#exchange.end();
    this.#body.close();
    this.#deadline.close();
  }
}
