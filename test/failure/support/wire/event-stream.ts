import type { IncomingMessage } from "node:http";
import type { StreamEvent } from "../history/history.ts";

/** Reads server-sent events until `take` leaves, the server closes the stream, or it breaks. */
export async function readEventStream(
  response: IncomingMessage,
  take: (event: StreamEvent) => "go on" | "leave",
): Promise<"closed" | "broken" | "left"> {
  let text = "";
  response.setEncoding("utf8");
  try {
    for await (const chunk of response) {
      text += String(chunk);
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event && take(event) === "leave") return "left";
      }
    }
    return response.complete ? "closed" : "broken";
  } catch {
    return "broken";
  } finally {
    response.destroy();
  }
}

/** Null for comments, which keep the connection awake. */
export function parseEvent(block: string): StreamEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, "")];
    const before = fields.get(name);
    fields.set(name, name === "data" && before !== undefined ? `${before}\n${value}` : value);
  }
  if (fields.size === 0) return null;
  return {
    id: fields.get("id") ?? null,
    event: fields.get("event") ?? "message",
    data: fields.get("data") ?? "",
  };
}
