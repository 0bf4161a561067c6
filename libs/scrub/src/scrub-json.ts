import { REDACTED } from "@bulkhead/core";
import { JsonReader } from "./json-reader.ts";
import { NAMED } from "./pattern-scan.ts";
import { coverValues, scrubString, type ScrubMeans } from "./scrub-string.ts";
import { secretNameOf, type SecretName } from "./secret-names.ts";
import { looksLikeToken } from "./telling-values.ts";

/** One object or array that is open. */
interface Level {
  isObject: boolean;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
  /** The secret that the key's name announces for a string here, or in an array here. */
  named: SecretName | null;
  /** An object's keys that hold a marker, each with the number that the next key of the same text gets. */
  marked: Map<string, number> | null;
}

/**
 * JSON text of the same shape. Strings are scrubbed by their meaning, whatever escapes spell them, and written anew only
 * if that changes them; keys stay distinct; a number whose digits spell a secret becomes a string.
 */
export function scrubJson(means: ScrubMeans, json: string): string {
  const scrub = new JsonScrub(means, json);
  return scrub.run();
}

class JsonScrub {
  readonly #means: ScrubMeans;
  readonly #json: string;
  readonly #reader: JsonReader;
  readonly #levels: Level[] = [];
  #level: Level = { isObject: false, awaitsKey: false, named: null, marked: null };
  #said = "";
  #saidUntil = 0;

  constructor(means: ScrubMeans, json: string) {
    this.#means = means;
    this.#json = json;
    this.#reader = new JsonReader(json, means.tables.automaton);
  }

  run(): string {
    const { length } = this.#json;
    for (let at = 0; at < length;) at = this.#readToken(at, this.#json.charCodeAt(at));
    return this.#saidUntil === 0 ? this.#json : this.#said + this.#json.slice(this.#saidUntil);
  }

  #readToken(at: number, code: number): number {
    switch (code) {
      case 0x22: // "
        return this.#readString(at);
      case 0x7b: // {
        this.#open({ isObject: true, awaitsKey: true, named: null, marked: null });
        return at + 1;
      case 0x5b: // [
        this.#open({ ...this.#level, isObject: false, awaitsKey: false, marked: null });
        return at + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.#level = this.#levels.pop() ?? this.#level;
        return at + 1;
      case 0x2c: // ,
        this.#level.awaitsKey = this.#level.isObject;
        return at + 1;
      default:
        return code === 0x2d || (code >= 0x30 && code <= 0x39) ? this.#readNumber(at) : at + 1;
    }
  }

  #open(level: Level): void {
    this.#levels.push(this.#level);
    this.#level = level;
  }

  #readString(at: number): number {
    const { isHit, isSpelt, end } = this.#reader.readString(at);
    const level = this.#level;
    const isKey = level.awaitsKey;
    level.awaitsKey = false;
    if (isKey) level.named = null;
    if (!isHit && !isSpelt && this.#means.patterns.areNone && level.named === null) return end;
    const token = this.#json.slice(at, end);
    const value = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
    const scrubbed = isKey ? this.#scrubKey(value) : this.#scrubValue(value);
    if (scrubbed !== value) this.#replace(at, end, scrubbed);
    return end;
  }

  #scrubValue(value: string): string {
    const scrubbed = scrubString(this.#means, value);
    const { named } = this.#level;
    if (named === null || value === "" || value === REDACTED) return scrubbed;
    if (named === "ambiguous" && !looksLikeToken(scrubbed)) return scrubbed;
    if (scrubbed === value) this.#means.count(NAMED);
    return REDACTED;
  }

  #scrubKey(key: string): string {
    const scrubbed = scrubString(this.#means, key);
    if (!scrubbed.includes(REDACTED)) {
      this.#level.named = secretNameOf(key);
      return key;
    }
    return makeDistinct(scrubbed, (this.#level.marked ??= new Map()));
  }

  #readNumber(at: number): number {
    const end = this.#reader.endOfNumber(at);
    if (!this.#means.tables.hasNumbers) return end;
    const number = this.#json.slice(at, end);
    if (coverValues(this.#means, number) !== number) this.#replace(at, end, REDACTED);
    return end;
  }

  #replace(from: number, to: number, value: string): void {
    this.#said += this.#json.slice(this.#saidUntil, from) + JSON.stringify(value);
    this.#saidUntil = to;
  }
}

/** Goes on counting where it was with this text: objects may have a hundred thousand keys that are all covered alike. */
function makeDistinct(key: string, taken: Map<string, number>): string {
  let next = taken.get(key);
  let distinct = key;
  if (next !== undefined) {
    do distinct = `${key} ${next++}`;
    while (taken.has(distinct));
    taken.set(key, next);
  }
  taken.set(distinct, 2);
  return distinct;
}
