import { parseJson } from "./primordials.ts";
import { decodeBase64 } from "./base64.ts";
import type { BodySource } from "./body-content.ts";
import { giveUp, requestEffect, type EffectAnswer } from "./effects.ts";

/** The body of a response from outside: the worker is asked for each part when somebody reads. */
export class RemoteBody implements BodySource {
  readonly #id: number;
  #first: string | Uint8Array<ArrayBuffer> | null;
  /** Nothing is left at the worker. */
  #done: boolean;
  /** The tool has everything, or wants nothing more. */
  #over = false;
  #failure: { reason: unknown } | null = null;
  #readId = 0;
  readonly #onOver: (() => void)[] = [];

  constructor(answer: EffectAnswer, done: boolean) {
    this.#id = answer.id;
    this.#first = contentOf(answer);
    this.#done = done;
  }

  async read(): Promise<string | Uint8Array<ArrayBuffer> | null> {
    if (this.#failure) throw this.#failure.reason;
    let content = this.#first;
    this.#first = null;
    while (content === null || content.length === 0) {
      if (this.#done) {
        this.#end();
        return null;
      }
      content = await this.#readMore();
    }
    return content;
  }

  cancel(): void {
    if (!this.#done && !this.#over) giveUp(this.#id, undefined);
    this.#done = true;
    this.#end();
  }

  /** The reader, now or later, hears the reason. */
  abort(reason: unknown): void {
    if (this.#over) return;
    this.#failure = { reason };
    if (!this.#done) giveUp(this.#id, reason);
    if (this.#readId > 0) giveUp(this.#readId, reason);
    this.#end();
  }

  /** Calls it once nothing more can happen to this body. */
  whenOver(callback: () => void): void {
    if (this.#over) callback();
    else this.#onOver.push(callback);
  }

  async #readMore(): Promise<string | Uint8Array<ArrayBuffer>> {
    const head = { kind: "read_body", bodyId: this.#id };
    try {
      const answer = await requestEffect(head, null, (id) => {
        this.#readId = id;
      });
      this.#done = (parseJson(answer.head) as { done: boolean }).done;
      return contentOf(answer);
    } catch (error) {
      this.#failure ??= { reason: error };
      this.#end();
      throw this.#failure.reason;
    } finally {
      this.#readId = 0;
    }
  }

  #end(): void {
    this.#over = true;
    for (const callback of this.#onOver.splice(0)) callback();
  }
}

const contentOf = ({ body, isBase64 }: EffectAnswer): string | Uint8Array<ArrayBuffer> =>
  isBase64 ? (decodeBase64(body) ?? new Uint8Array()) : body;
