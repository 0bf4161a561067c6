import { Bulkhead, BulkheadError } from "@bulkhead/client";

/** The API of the host that served this page; the browser's cookie says who asks. */
export const api = new Bulkhead({ url: location.origin });

/** Whether the session has ended, or there was none. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof BulkheadError && error.status === 401;

/** What an error says to a person. */
export function wordsOf(error: unknown): string {
  if (error instanceof BulkheadError && error.code === "client.unreachable")
    return "The server can't be reached. Try again once it is back.";
  return error instanceof Error ? error.message : String(error);
}

/** Whether a save was refused since it was another thing by then than the one that was seen. */
export const isConflict = (error: unknown): boolean => error instanceof BulkheadError && error.status === 412;
