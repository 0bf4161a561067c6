/** The first `charsMax` UTF-16 units, one fewer where that would leave half a pair at the end. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const isPair = (text.codePointAt(charsMax - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? charsMax - 1 : charsMax);
}
