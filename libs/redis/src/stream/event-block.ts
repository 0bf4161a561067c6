import { isEndEvent, type ExecutionEvent } from "@bulkhead/core";
import { encodeEvent } from "./event-codec.ts";
import { BLOCK_BYTES_MAX } from "./names.ts";

/** One entry of a log: events of one attempt that were appended one right behind the other. */
export interface EventBlock {
  firstId: string;
  lastId: string;
  count: number;
  /** The events as JSON, each on its own line; JSON of JavaScript has no line ends. */
  text: string;
  /** Bytes of the text in UTF-8. */
  bytes: number;
}

/** Events in their order as few blocks: ten thousand lines of one byte are then no ten thousand entries. An end stands alone. */
export function toBlocks(events: readonly ExecutionEvent[]): EventBlock[] {
  const blocks: EventBlock[] = [];
  let attempt: number | null = null;
  for (const event of events) {
    const text = encodeEvent(event);
    const bytes = Buffer.byteLength(text) + 1;
    const block = blocks.at(-1);
    const isAlone = isEndEvent(event);
    if (block && !isAlone && event.attempt === attempt && block.bytes + bytes <= BLOCK_BYTES_MAX) {
      block.lastId = event.id;
      block.count += 1;
      block.text += `\n${text}`;
      block.bytes += bytes;
    } else blocks.push({ firstId: event.id, lastId: event.id, count: 1, text, bytes });
    attempt = isAlone ? null : event.attempt;
  }
  return blocks;
}

/** All events as one message; there is at least one. */
export function toMessage(events: readonly ExecutionEvent[]): EventBlock {
  const text = events.map(encodeEvent).join("\n");
  const [first, last] = [events[0]!, events.at(-1)!];
  return {
    firstId: first.id,
    lastId: last.id,
    count: events.length,
    text,
    bytes: Buffer.byteLength(text),
  };
}
