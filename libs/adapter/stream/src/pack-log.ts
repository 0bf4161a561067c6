import {
  isEndEvent,
  LOG_WORD_CHARS_MAX,
  LOG_WORDS_MAX,
  valueOf,
  wordsOf,
  type ExecutionEvent,
  type PackedLog,
} from "@bulkhead/domain";
import { promisify } from "node:util";
import { zstdCompressSync, zstdDecompress } from "node:zlib";
import { decodeEvent, encodeEvent } from "./event-codec.ts";
import { EVENT_BYTES_MAX, PAGE_BYTES_MAX } from "./names.ts";

/** A log as a thread takes it out of its stream's entries. */
export interface PackedEntries {
  /** Whether its last event is its end, which is left out: the row tells it. */
  hasEnd: boolean;
  /** Null where it says no more than that it began. */
  log: Omit<PackedLog, "cut"> | null;
}

/** Packs entries of a log, a page of a reader in each piece. What is no event is left out. */
export function packEntries(entries: readonly string[]): PackedEntries {
  const events = entries
    .flatMap((entry) => entry.split("\n").map(decodeEvent))
    .filter((event) => event !== null);
  const last = events.at(-1);
  const hasEnd = last !== undefined && isEndEvent(last);
  const told = events.filter((event) => !isEndEvent(event));
  if (!told.some(saysMore)) return { hasEnd, log: null };
  return { hasEnd, log: { pieces: pagesOf(told).map(packPage), words: wordsIn(told) } };
}

const saysMore = ({ type }: ExecutionEvent): boolean =>
  type !== "execution.queued" && type !== "execution.started";

interface Page {
  events: ExecutionEvent[];
  text: string;
}

function pagesOf(events: readonly ExecutionEvent[]): Page[] {
  const pages: Page[] = [];
  for (const event of events) {
    const text = encodeEvent(event);
    const page = pages.at(-1);
    if (page && page.text.length + text.length < PAGE_BYTES_MAX) {
      page.events.push(event);
      page.text += `\n${text}`;
    } else pages.push({ events: [event], text });
  }
  return pages;
}

const packPage = ({ events, text }: Page) => ({
  firstId: events[0]?.id ?? "",
  lastId: events.at(-1)?.id ?? "",
  packed: zstdCompressSync(text),
});

/** Different words of lines and values, as far as they count. */
function wordsIn(events: readonly ExecutionEvent[]): string[] {
  const words = new Set<string>();
  let chars = 0;
  for (const event of events) {
    for (const word of wordsOf(textOf(event).toLowerCase())) {
      if (words.has(word)) continue;
      chars += word.length;
      if (words.size === LOG_WORDS_MAX || chars > LOG_WORD_CHARS_MAX) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

function textOf(event: ExecutionEvent): string {
  if (event.type === "execution.log") return event.text;
  return event.type === "execution.progress" ? JSON.stringify(valueOf(event.value)) : "";
}

const decompress = promisify(zstdDecompress);

/** The entry that a piece holds. Rejects where it would be larger than any that was packed. */
export const unpackPiece = async (packed: Uint8Array): Promise<string> =>
  (await decompress(packed, { maxOutputLength: EVENT_BYTES_MAX + 4 * PAGE_BYTES_MAX })).toString();
