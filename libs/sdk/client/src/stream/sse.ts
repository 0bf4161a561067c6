/** One server-sent event; one without `event` and `data` only says where to go on. */
export interface Frame {
  event: string | undefined;
  id: string | undefined;
  data: string | undefined;
  /** Milliseconds after which the server wants to be asked again. */
  retryMs: number | undefined;
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * Reads events from the bytes of a stream, as the standard of server-sent events says. One that is cut off by the end is none.
 * A reader that stops reading cancels the stream.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let frame = emptyFrame();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      // A long line comes in many pieces: what was looked through is not looked through again.
      let from = Math.max(0, text.length - 1);
      text += decoder.decode(value, { stream: true });
      for (;;) {
        LINE_END.lastIndex = from;
        const end = LINE_END.exec(text);
        // Of a `\r` at the very end it is not known yet whether a `\n` belongs to it.
        if (!end || (end[0] === "\r" && end.index === text.length - 1)) break;
        const line = text.slice(0, end.index);
        text = text.slice(end.index + end[0].length);
        from = 0;
        if (line !== "") addLine(frame, line);
        else {
          yield frame;
          frame = emptyFrame();
        }
      }
    }
  } finally {
    // Whoever leaves early wants no more of it; a stream that broke can't be cancelled, and need not be.
    void reader.cancel().catch(() => undefined);
  }
}

const emptyFrame = (): Frame => ({ event: undefined, id: undefined, data: undefined, retryMs: undefined });

function addLine(frame: Frame, line: string): void {
  const colon = line.indexOf(":");
  // A comment, which keeps the connection alive.
  if (colon === 0) return;
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (field === "event") frame.event = value;
  else if (field === "id") frame.id = value;
  else if (field === "data") frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
  else if (field === "retry" && /^\d{1,6}$/.test(value)) frame.retryMs = Number(value);
}
