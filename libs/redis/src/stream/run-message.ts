import { readRunNews, type RunNews } from "@bulkhead/core";
import { RUNS_MESSAGE_CHARS_MAX, RUNS_WAITING_OF_TENANT_MAX } from "./tenant-events-names.ts";

/** News of a tenant's executions that travel together, and how many were dropped since the message before. */
export interface RunMessage {
  news: RunNews[];
  dropped: number;
}

/** The message of pieces of news, each as JSON. */
export const encodeRuns = (news: readonly string[], dropped: number): string =>
  `{"dropped":${dropped},"news":[${news.join(",")}]}`;

/** Null for a text that is no such message. News that this version doesn't know are passed over: newer ones tell them. */
export function decodeRuns(text: string): RunMessage | null {
  if (text.length > RUNS_MESSAGE_CHARS_MAX) return null;
  try {
    const { news, dropped } = JSON.parse(text) as Record<string, unknown>;
    if (!Array.isArray(news) || news.length > RUNS_WAITING_OF_TENANT_MAX) return null;
    if (!Number.isSafeInteger(dropped) || Number(dropped) < 0) return null;
    return { news: news.map(readRunNews).filter((one) => one !== null), dropped: Number(dropped) };
  } catch {
    return null;
  }
}
