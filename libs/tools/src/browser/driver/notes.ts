import type { ActionNotes } from "../actions.ts";
import { TOLD_CHARS_MAX, TOLD_MAX } from "../bounds.ts";

/** A text of a stranger's, cut to a bound, that any message can hold. */
export const cut = (text: string, charsMax: number): string =>
  (text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text).toWellFormed();

/** What went otherwise than pages wanted, since it was last told. */
export class Notes {
  #told: ActionNotes = none();
  /** Why requests of the whole action to these URLs got no answer: of the first few. */
  readonly #whys = new Map<string, string>();

  add(kind: keyof ActionNotes, text: string): void {
    const { first } = this.#told[kind];
    this.#told[kind].count += 1;
    const sentence = cut(text, TOLD_CHARS_MAX);
    if (first.length < TOLD_MAX && !first.includes(sentence)) first.push(sentence);
  }

  refused(url: string, why: string): void {
    this.add("refused", `${cut(url, TOLD_CHARS_MAX / 2)}: ${why}`);
    if (this.#whys.size < TOLD_MAX) this.#whys.set(url, why);
  }

  /** Why a request to this URL got no answer; null where it was none of the first. */
  whyOf(url: string): string | null {
    return this.#whys.get(url) ?? null;
  }

  /** All of them; from now on there are none. */
  take(): ActionNotes {
    const told = this.#told;
    this.#told = none();
    this.#whys.clear();
    return told;
  }
}

const none = (): ActionNotes => ({ refused: { count: 0, first: [] }, dismissed: { count: 0, first: [] } });
