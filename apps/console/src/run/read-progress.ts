/** How far something is: from 0 to 1, and as the tool counts it. */
export interface Progress {
  share: number;
  words: string;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const clamp = (share: number): number => Math.min(1, Math.max(0, share));
const percentOf = (percent: number): Progress => ({
  share: clamp(percent / 100),
  words: `${Math.round(clamp(percent / 100) * 100)}%`,
});

/**
 * What a tool emitted as progress, where it is one: a share from 0 to 1, percent above that, `{done, total}` or `{percent}`.
 * Null: it is any other value.
 */
export function readProgress(value: unknown): Progress | null {
  if (isNumber(value)) return value < 0 ? null : percentOf(value <= 1 ? value * 100 : value);
  if (typeof value !== "object" || value === null) return null;
  const { done, total, percent, message } = value as Readonly<Record<string, unknown>>;
  const said = typeof message === "string" ? ` ${message}` : "";
  if (isNumber(percent)) {
    const read = percentOf(percent);
    return { ...read, words: read.words + said };
  }
  if (!isNumber(done) || !isNumber(total) || total <= 0) return null;
  return {
    share: clamp(done / total),
    words: `${done.toLocaleString()} of ${total.toLocaleString()}${said}`,
  };
}
