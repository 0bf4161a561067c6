import {
  NOTE_BYTES_PER_SECOND_MAX,
  NOTE_DEPTH_MAX,
  NOTES_PER_SECOND_MAX,
  RESULT_VALUES_MAX,
} from "./bounds.ts";
import { weighJson, type JsonBounds } from "./weigh-json.ts";

const BOUNDS: JsonBounds = {
  bytes: NOTE_BYTES_PER_SECOND_MAX,
  values: RESULT_VALUES_MAX,
  levels: NOTE_DEPTH_MAX,
};
const BEYOND: Record<keyof JsonBounds, string> = {
  bytes: `more than ${NOTE_BYTES_PER_SECOND_MAX} bytes of messages in a second`,
  values: `a message with more than ${RESULT_VALUES_MAX} values`,
  levels: `a message that is nested deeper than ${NOTE_DEPTH_MAX} levels`,
};

/** Counts and weighs the messages of a server that answer nothing. */
export class NoteGauge {
  #second = { at: 0, notes: 0, bytes: 0 };

  /** What the server has sent too much of; null where it has not. What is no message counts as an empty one. */
  add(note: object = {}): string | null {
    const at = Math.floor(performance.now() / 1_000);
    if (at !== this.#second.at) this.#second = { at, notes: 0, bytes: 0 };
    this.#second.notes += 1;
    if (this.#second.notes > NOTES_PER_SECOND_MAX)
      return `more than ${NOTES_PER_SECOND_MAX} messages in a second`;
    const weight = weighJson(note, BOUNDS);
    if (typeof weight === "string") return BEYOND[weight];
    this.#second.bytes += weight;
    return this.#second.bytes > NOTE_BYTES_PER_SECOND_MAX ? BEYOND.bytes : null;
  }
}
