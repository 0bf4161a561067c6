import { get, type IncomingMessage } from "node:http";

/** Many event streams of one API process on which nothing happens. */
export interface IdleStreams {
  /** From the first request to the first event of the last stream; milliseconds. */
  openedMs: number;
  /** How many nobody has ended yet. */
  open(): number;
  close(): void;
}

/** Requests that wait for their first event at a time. */
const OPENING_AT_ONCE = 64;

/** Opens one for each URL, each on a connection of its own; throws where one is refused. */
export async function openIdleStreams(
  urls: readonly string[],
  headers: Record<string, string>,
): Promise<IdleStreams> {
  const opened: IncomingMessage[] = [];
  const left = urls.values();
  const close = (): void => {
    for (const stream of opened) stream.destroy();
  };
  const openInTurn = async (): Promise<void> => {
    for (const url of left) opened.push(await openStream(url, headers));
  };
  const startedAt = performance.now();
  try {
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openInTurn));
  } catch (cause) {
    close();
    throw cause;
  }
  const open = (): number => opened.filter(({ closed }) => !closed).length;
  return { openedMs: performance.now() - startedAt, open, close };
}

/** Resolves with its first event. */
function openStream(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = get(
      url,
      { agent: false, headers: { accept: "text/event-stream", ...headers } },
      (response) => {
        if (response.statusCode !== 200) {
          response.destroy();
          return reject(new Error(`${url} answered ${response.statusCode}, no event stream`));
        }
        // Its end from this side is an error of the response too.
        response.on("error", () => undefined);
        return response.once("data", () => {
          // What follows are comments that keep it alive.
          response.resume();
          resolve(response);
        });
      },
    );
    asked.on("error", reject);
  });
}
