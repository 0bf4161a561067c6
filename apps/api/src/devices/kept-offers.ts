import { Fault, type DeviceCommand } from "@bulkhead/core";
import { HELLO_EVERY_MS } from "./bounds.ts";
import { CLOSE, NOT_AVAILABLE } from "./frames.ts";

export interface OfferDeps {
  /** Rejects with a fault where that can't be taken. */
  keep(commands: readonly DeviceCommand[]): Promise<void>;
  isOpen(): boolean;
  /** Ends the connection that said so. */
  close(code: number, reason: string): void;
  now(): number;
  report(what: string, error: unknown): void;
}

/** What a device says over one connection that it offers: the last word stands, however long each takes. */
export class KeptOffers {
  readonly #deps: OfferDeps;
  #saidAt = -HELLO_EVERY_MS;
  /** What is not kept yet: the newest alone. */
  #newest: readonly DeviceCommand[] | null = null;
  /** Nothing is kept before the device is let in, and one after the other then. */
  #keeps = true;

  constructor(deps: OfferDeps) {
    this.#deps = deps;
  }

  hear(commands: readonly DeviceCommand[]): void {
    const now = this.#deps.now();
    if (now - this.#saidAt < HELLO_EVERY_MS)
      return this.#deps.close(CLOSE.notAllowed, `hello may be said once in ${HELLO_EVERY_MS} ms`);
    this.#saidAt = now;
    this.#newest = commands;
    if (!this.#keeps) void this.keep();
  }

  /** The device is let in: what it has said is kept, and what it will say. Never rejects. */
  async keep(): Promise<void> {
    this.#keeps = true;
    try {
      for (let said = this.#newest; said !== null && this.#deps.isOpen(); said = this.#newest) {
        this.#newest = null;
        await this.#deps.keep(said);
      }
    } catch (error) {
      if (error instanceof Fault && error.status < 500)
        return this.#deps.close(
          error.retryable ? CLOSE.tryLater : CLOSE.notAllowed,
          `the commands could not be kept: ${error.detail}`,
        );
      this.#deps.report("what a device offers could not be kept", error);
      this.#deps.close(CLOSE.tryLater, NOT_AVAILABLE);
    } finally {
      this.#keeps = false;
    }
  }
}
