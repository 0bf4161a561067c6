import { allowsHost, PLACEHOLDER, type HeldSecret, type PlacedSecret } from "@bulkhead/core";
import { URL_CHARS_MAX } from "./bounds.ts";
import { encodeValue, fillBody } from "./fill-body.ts";
import { fillHeaders } from "./fill-headers.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Target } from "./parse-target.ts";
import { Refusal } from "./refusal.ts";
import { refuseBody, refuseHost, refuseUrlPart } from "./secret-refusal.ts";

/**
 * One run's secrets. A placeholder is exchanged where that is allowed, and a request that holds one anywhere else is
 * refused; a text that merely looks like one stays.
 */
export class SecretExchange {
  readonly #secrets: ReadonlyMap<string, HeldSecret>;
  readonly #bytesOutMax: number;
  /** Placeholders of the secrets that an upstream may know by now, and send back. */
  readonly #exchanged = new Set<string>();

  constructor(placed: readonly PlacedSecret[], bytesOutMax: number) {
    this.#secrets = new Map(placed.map(({ placeholder, secret }) => [placeholder, secret]));
    this.#bytesOutMax = bytesOutMax;
  }

  /**
   * The request as it is sent. The given one stays as the tool and a redirect know it. Adds the secrets in its URL or body
   * to `sentOpenly`. Throws a Refusal.
   */
  fill(outgoing: Outgoing, sentOpenly: Set<HeldSecret>): Outgoing {
    if (this.#secrets.size === 0) return outgoing;
    const { target, headers, body } = outgoing;
    const secretOf = (placeholder: string): HeldSecret | null => this.#exchange(placeholder, target);
    const openlyOf = (placeholder: string): HeldSecret | null => {
      const secret = secretOf(placeholder);
      if (secret) sentOpenly.add(secret);
      return secret;
    };
    return {
      ...outgoing,
      target: this.#fillTarget(target, openlyOf),
      headers: fillHeaders(headers, secretOf),
      body:
        body && fillBody(body, headers, this.#bytesOutMax, (placeholder) => bodyValue(openlyOf(placeholder))),
    };
  }

  /**
   * The secrets that this host may repeat: it was sent them in this run, or may have heard them from another host that
   * was.
   */
  sentTo({ host, port }: Pick<Target, "host" | "port">): PlacedSecret[] {
    return [...this.#exchanged].flatMap((placeholder) => {
      const secret = this.#secrets.get(placeholder);
      return secret && allowsHost(secret.hosts, host, port) ? [{ placeholder, secret }] : [];
    });
  }

  #fillTarget(target: Target, secretOf: (placeholder: string) => HeldSecret | null): Target {
    const { url } = target;
    for (const [placeholder] of `${url.host}${url.pathname}`.matchAll(PLACEHOLDER)) {
      const stray = this.#secrets.get(placeholder);
      if (stray) throw refuseUrlPart(stray);
    }
    const search = url.search.replace(PLACEHOLDER, (placeholder) => {
      const secret = secretOf(placeholder);
      return secret ? encodeValue(secret.value) : placeholder;
    });
    if (search === url.search) return target;
    const filled = new URL(url);
    filled.search = search;
    if (filled.href.length > URL_CHARS_MAX)
      throw new Refusal(
        "invalid_request",
        `the URL is longer than ${URL_CHARS_MAX} characters with its secrets in it`,
      );
    return { ...target, url: filled };
  }

  /** The secret, if this run has it; throws where it may not go to this host. */
  #exchange(placeholder: string, { host, port }: Target): HeldSecret | null {
    const secret = this.#secrets.get(placeholder);
    if (!secret) return null;
    if (!allowsHost(secret.hosts, host, port)) throw refuseHost(secret, host, port);
    this.#exchanged.add(placeholder);
    return secret;
  }
}

function bodyValue(secret: HeldSecret | null): string | null {
  if (secret && !secret.inBody) throw refuseBody(secret);
  return secret?.value ?? null;
}
