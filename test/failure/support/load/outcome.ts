import type { Outcome } from "../history/history.ts";
import type { HttpEnd } from "../wire/http-call.ts";

/** What a client may conclude from how a call ended. */
export function outcomeOf(end: HttpEnd): Outcome {
  if (end.is === "not sent") return { is: "failed", why: end.why };
  if (end.is === "broken") return { is: "unknown", why: end.why };
  if (end.status < 400) return { is: "ok", status: end.status };
  const why = `${end.status} ${JSON.stringify(end.body)?.slice(0, 300)}`;
  return { is: end.status < 500 ? "failed" : "unknown", why };
}

/** The `data` of an answer; empty where there is none. */
export function dataOf(end: HttpEnd): Record<string, unknown> {
  if (end.is !== "answered" || typeof end.body !== "object" || end.body === null) return {};
  const { data } = end.body as { data?: unknown };
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
}

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The same for one item of a batch: trouble of the service's own is as good as a 5xx. */
export function itemOutcome(error: unknown): Outcome {
  const why = JSON.stringify(error) ?? "";
  return { is: why.includes('"code":"service.') ? "unknown" : "failed", why };
}
