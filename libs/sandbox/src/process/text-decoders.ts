/** Decoders of one run that may wait for more of their text at one time. */
const DECODERS_MAX = 64;

/** The guest's options for the bytes beside them. */
interface Asked {
  id: number;
  encoding: string;
  fatal: boolean;
  goesOn: boolean;
}

/** One run's texts in encodings that the guest doesn't know, each under the id that the guest gave it. */
export class TextDecoders {
  readonly #open = new Map<number, TextDecoder>();

  /**
   * Decodes bytes in base64: "=" and the text; "full" if too many wait, "null" if the bytes are invalid in the encoding.
   */
  decode(base64: string, asked: string): string {
    try {
      const { id, encoding, fatal, goesOn } = JSON.parse(asked) as Asked;
      const decoder = this.#open.get(id) ?? new TextDecoder(encoding, { fatal, ignoreBOM: true });
      this.#open.delete(id);
      if (goesOn && this.#open.size >= DECODERS_MAX) return "full";
      const text = decoder.decode(Buffer.from(base64, "base64"), { stream: goesOn });
      // Only a sound text goes on: after a fault a decoder begins anew.
      if (goesOn) this.#open.set(id, decoder);
      return `=${text}`;
    } catch {
      return "null";
    }
  }

  clear(): void {
    this.#open.clear();
  }
}
