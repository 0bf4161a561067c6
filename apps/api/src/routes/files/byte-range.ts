/** Bytes from `from` to `to` (exclusive); `back`: so many before the end. */
export type ByteRange = { from: number; to: number } | { back: number };

/** RFC 9110, 14.1.2: one range of bytes. Null for any other, which a server may answer with the whole. */
export function readRange(header: string | undefined): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") return { back: Number(last) };
  if (last !== "" && Number(last) < Number(first)) return null;
  return { from: Number(first), to: last === "" ? Infinity : Number(last) + 1 };
}
