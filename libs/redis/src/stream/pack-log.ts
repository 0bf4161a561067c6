import {
  indexTerms,
  isEndEvent,
  LOG_WORD_CHARS_MAX,
  LOG_WORDS_MAX,
  valueOf,
  type ExecutionError,
  type ExecutionEvent,
  type HowPacked,
  type LogPiece,
  type PackedLog,
} from "@bulkhead/core";
import { promisify } from "node:util";
import { zstdCompressSync, zstdDecompress } from "node:zlib";
import { decodeEvent, encodeEvent } from "./event-codec.ts";
import { EVENT_BYTES_MAX, PAGE_BYTES_MAX } from "./names.ts";

/** A log as a thread takes it out of its stream's entries. */
export interface PackedEntries {
  /** Whether its last event is its end, which is left out since the row has it. */
  hasEnd: boolean;
  /** Null where it says no more than that it began. */
  log: Omit<PackedLog, "cut"> | null;
}

/** A thread's job: the log to pack. */
export interface PackJob {
  entries: readonly string[];
  how: HowPacked;
}

/** Packs entries of a log, a page of a reader in each piece. Invalid events are left out. */
export function packEntries(entries: readonly string[], { withoutErrors }: HowPacked): PackedEntries {
  const pages: Page[] = [];
  const events: ExecutionEvent[] = [];
  let hasEnd = false;
  for (const text of entries.flatMap((entry) => entry.split("\n"))) {
    const event = decodeEvent(text);
    if (event === null) continue;
    hasEnd = isEndEvent(event);
    if (hasEnd) continue;
    events.push(event);
    addTo(pages, event.id, withoutErrors && tellsError(event) ? encodeEvent(withoutText(event)) : text);
  }
  if (!events.some(saysMore)) return { hasEnd, log: null };
  return { hasEnd, log: { pieces: pages.map(packPage), words: wordsIn(events) } };
}

const saysMore = ({ type }: ExecutionEvent): boolean =>
  type !== "execution.queued" && type !== "execution.started";

type Retrying = Extract<ExecutionEvent, { type: "execution.retrying" }>;

const tellsError = (event: ExecutionEvent): event is Retrying & { error: ExecutionError } =>
  event.type === "execution.retrying" && event.error !== undefined;

/** The code stays: it is of a closed list. */
const withoutText = (event: Retrying & { error: ExecutionError }): ExecutionEvent => ({
  ...event,
  error: { code: event.error.code, message: "The message was erased." },
});

interface Page {
  firstId: string;
  lastId: string;
  text: string;
}

function addTo(pages: Page[], id: string, text: string): void {
  const page = pages.at(-1);
  if (page && page.text.length + text.length < PAGE_BYTES_MAX) {
    page.lastId = id;
    page.text += `\n${text}`;
  } else pages.push({ firstId: id, lastId: id, text });
}

const packPage = ({ firstId, lastId, text }: Page): LogPiece => ({
  firstId,
  lastId,
  packed: zstdCompressSync(text),
});

/** The distinct words of lines and values, up to a bound: the last ones, since a failure is described at the end. */
function wordsIn(events: readonly ExecutionEvent[]): string[] {
  const words = new Set<string>();
  let chars = 0;
  for (const event of events.toReversed()) {
    for (const word of indexTerms(textOf(event))) {
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
