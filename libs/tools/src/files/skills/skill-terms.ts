/** Scripts that are written without spaces: their words are taken by pairs of characters. */
const RUN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+|[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
/** UTF-16 units of a word; what is longer is none. */
const WORD_CHARS_MAX = 64;

/** The words of a text, in whatever language: letters and digits in lower case; of Chinese and Japanese each pair of neighbours. */
export function* termsIn(text: string): Generator<string> {
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(RUN)) {
    if (UNSPACED.test(run)) yield* pairsOf(run);
    // Where a word goes on behind another script, the pattern takes both as one.
    else if (run.length <= WORD_CHARS_MAX) yield* spacedTerms(run);
  }
}

function* spacedTerms(run: string): Generator<string> {
  for (const part of run.split(/([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+)/u))
    if (UNSPACED.test(part)) yield* pairsOf(part);
    else if (part !== "") yield part;
}

function* pairsOf(text: string): Generator<string> {
  const characters = Array.from(text);
  if (characters.length === 1) yield characters[0] ?? "";
  for (let at = 0; at + 1 < characters.length; at += 1)
    yield `${characters[at] ?? ""}${characters[at + 1] ?? ""}`;
}
