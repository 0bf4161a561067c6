import type { MemoryChunk } from "@bulkhead/core";

/** Characters of a chunk at most, and of a section below which it goes on into the next one. */
export const CHUNK_CHARS_MAX = 1_600;
const SECTION_CHARS_MIN = 200;
/** Characters of whole lines at most that a chunk repeats of the one before, where a section is cut. */
export const CHUNK_OVERLAP_CHARS_MAX = 200;

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const isBlank = (line: string): boolean => line.trim() === "";

/**
 * Cuts Markdown into chunks that search finds: at headings, then between paragraphs, then between lines, and a line that is
 * longer than a chunk between characters. Each line that is not blank is in a chunk.
 */
export function chunkText(text: string): MemoryChunk[] {
  const chunker = new Chunker();
  let inFence = false;
  let at = 0;
  for (const line of text.split(/\r?\n/)) {
    at += 1;
    if (FENCE.test(line)) inFence = !inFence;
    chunker.add(line, at, !inFence && HEADING.test(line));
  }
  return chunker.end();
}

class Chunker {
  readonly #chunks: MemoryChunk[] = [];
  /** The lines of the chunk under way; the first `#repeated` of them stand in the one before, too. */
  #lines: string[] = [];
  #first = 1;
  #chars = 0;
  #repeated = 0;

  add(line: string, at: number, isHeading: boolean): void {
    if (isHeading && this.#chars >= SECTION_CHARS_MIN) this.#flush(0);
    while (this.#lines.length > 0 && this.#chars + line.length + 1 > CHUNK_CHARS_MAX) this.#cut();
    if (line.length > CHUNK_CHARS_MAX) {
      for (const part of partsOf(line)) this.#store([part], at);
      return;
    }
    if (this.#lines.length === 0) this.#first = at;
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }

  end(): MemoryChunk[] {
    this.#flush(0);
    return this.#chunks;
  }

  /** Ends a chunk where a paragraph does, in the second half of it, else behind its last line. */
  #cut(): void {
    // What is repeated alone makes no chunk.
    if (this.#repeated >= this.#lines.length) return this.#flush(0);
    let chars = 0;
    let end = this.#lines.length;
    for (let n = this.#lines.length - 1; n > this.#repeated; n -= 1) {
      chars += (this.#lines[n]?.length ?? 0) + 1;
      if (chars > this.#chars / 2) break;
      if (isBlank(this.#lines[n] ?? "")) {
        end = n;
        break;
      }
    }
    this.#flush(this.#lines.length - end);
  }

  /** Stores all but the last `kept` lines, and goes on with those behind some that are repeated. */
  #flush(kept: number): void {
    const end = this.#lines.length - kept;
    if (end > this.#repeated) this.#store(this.#lines.slice(0, end), this.#first);
    const isCut = kept > 0 || this.#chars >= CHUNK_CHARS_MAX / 2;
    let begin = end;
    let chars = 0;
    // A section that is whole is not repeated.
    if (isCut)
      for (; begin > 0; begin -= 1) {
        chars += (this.#lines[begin - 1]?.length ?? 0) + 1;
        if (chars > CHUNK_OVERLAP_CHARS_MAX) break;
      }
    this.#repeated = end - begin;
    this.#first += begin;
    this.#lines = this.#lines.slice(begin);
    this.#chars = this.#lines.reduce((sum, line) => sum + line.length + 1, 0);
  }

  #store(lines: readonly string[], first: number): void {
    const from = lines.findIndex((line) => !isBlank(line));
    if (from === -1) return;
    const to = lines.findLastIndex((line) => !isBlank(line));
    const text = lines.slice(from, to + 1).join("\n");
    this.#chunks.push({ startLine: first + from, endLine: first + to, text });
  }
}

/** A long line in pieces of whole characters. */
function partsOf(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < line.length;) {
    let end = Math.min(at + CHUNK_CHARS_MAX, line.length);
    const last = line.charCodeAt(end - 1);
    if (end < line.length && last >= 0xd800 && last < 0xdc00) end -= 1;
    parts.push(line.slice(at, end));
    at = end;
  }
  return parts;
}
