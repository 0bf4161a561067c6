import { request, type ClientRequest, type IncomingMessage } from "node:http";

export interface HttpInput {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: unknown;
  /** For an answer's head, and for each silence in its body; milliseconds. */
  silenceMsMax: number;
}

/** How far a request came. `not sent`: no connection was made, so nothing can have happened. */
export type Sent =
  | { is: "answered"; response: IncomingMessage }
  | { is: "not sent"; why: string }
  | { is: "broken"; why: string };

export type HttpEnd =
  | { is: "answered"; status: number; headers: IncomingMessage["headers"]; body: unknown }
  | Exclude<Sent, { is: "answered" }>;

/** Sends a request over a connection of its own and resolves with the head of its answer. Never rejects. */
export function send(input: HttpInput): Promise<Sent> {
  return new Promise((resolve) => {
    let isConnected = false;
    const outgoing: ClientRequest = request(input.url, {
      method: input.method,
      agent: false,
      headers: {
        ...input.headers,
        ...(input.body === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    outgoing.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    outgoing.setTimeout(input.silenceMsMax, () =>
      outgoing.destroy(new Error(`silent for ${input.silenceMsMax} ms`)),
    );
    outgoing.on("error", ({ message }) => resolve({ is: isConnected ? "broken" : "not sent", why: message }));
    outgoing.once("response", (response) => resolve({ is: "answered", response }));
    outgoing.end(input.body === undefined ? undefined : JSON.stringify(input.body));
  });
}

/** One call with its whole answer, parsed where it is JSON. Never rejects. */
export async function httpCall(input: HttpInput): Promise<HttpEnd> {
  const sent = await send(input);
  if (sent.is !== "answered") return sent;
  const { response } = sent;
  try {
    let text = "";
    response.setEncoding("utf8");
    for await (const chunk of response) text += String(chunk);
    if (!response.complete) return { is: "broken", why: "the answer stopped half way" };
    const isJson = response.headers["content-type"]?.includes("json") === true;
    return {
      is: "answered",
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  } catch (cause) {
    return { is: "broken", why: String(cause) };
  }
}
