import { ask } from "./bridge.ts";
import { encodeBase64 } from "./base64.ts";
import { slice, stringifyJson } from "./primordials.ts";

/** One decoder: takes the bytes as they come and keeps those that need more to follow. */
export interface Coding {
  /** Throws a TypeError where `fatal` and the bytes are none of the coding's; then it begins anew. */
  decode(bytes: Uint8Array, fatal: boolean, goesOn: boolean): string;
}

/** Bytes that go to the host at a time. */
const PIECE_BYTES = 1_048_576;

let lastId = 0;

/**
 * A coding whose tables are longer than the guest: the host has them, and keeps a decoder's state, under an id, until its
 * text ends.
 */
export class RemoteCoding implements Coding {
  readonly #encoding: string;
  readonly #id = ++lastId;

  constructor(encoding: string) {
    this.#encoding = encoding;
  }

  decode(bytes: Uint8Array, fatal: boolean, goesOn: boolean): string {
    let text = "";
    let at = 0;
    do {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      text += this.#ask(piece, fatal, goesOn || at < bytes.length);
    } while (at < bytes.length);
    return text;
  }

  #ask(piece: Uint8Array, fatal: boolean, goesOn: boolean): string {
    const asked = stringifyJson({ id: this.#id, encoding: this.#encoding, fatal, goesOn });
    const answer = ask("text.decode", encodeBase64(piece), asked);
    // A text comes with a mark before it.
    if (answer[0] === "=") return slice(answer, 1);
    if (answer === "full") throw new RangeError("too many texts in other encodings are decoded at a time");
    throw new TypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
  }
}
