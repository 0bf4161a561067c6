/**
 * Every secret name holds one of these, in the spellings of code, headers and prose; `secretNameOf` tells it from others.
 */
export const NAME_STEMS = [
  ..."password passwd passphrase pwd secret token apikey authorization cookie bearer".split(" "),
  ...["api", "access", "private", "secret", "signing", "encryption"].flatMap((kind) => [
    `${kind}_key`,
    `${kind}-key`,
    `${kind}key`,
  ]),
];

const EXACT = new Set(["pwd", "setcookie", "signingkey", "encryptionkey"]);
/** Under these stand secrets and plain words alike: `{"token":"to"}` is a parser's, `{"cookie":"chocolate"}` a shop's. */
const AMBIGUOUS = new Set(["token", "bearer", "cookie"]);
/** A token alone may be a page's (`nextPageToken`), so these say which. */
const ENDINGS =
  /(?:password|passwd|passphrase|secret|apikey|accesskey|secretkey|privatekey|authorization|(?:access|refresh|auth|api|id|session|security|bearer|bot|user|personal|oauth|service|deploy|vault|github|gitlab|slack|npm)token)$/;
/** Labels and questions about a secret. */
const LABELS =
  /^(?:forgot|reset|show|hide|has|is|no|change|invalid|wrong|enter|missing|incorrect|your|new|hint)/;
/** As environments name their vendors' tokens, of which there are more than can be listed: `PERCY_TOKEN`. */
const OF_ENVIRONMENT = /^[A-Z][A-Z0-9_]*_TOKEN$/;
const OF_PAGES = /(?:PAGE|NEXT|CONTINUATION|SYNC|CURSOR)_?TOKEN$/;
const NAME_CHARS_MAX = 64;

/** How sure a name is: the value is a secret in any case, or only if it looks like one (`looksLikeToken`). */
export type SecretName = "certain" | "ambiguous";

/** The kind of secret that a key or header of this name holds, null if none; case, `-`, `_` and `.` make no difference. */
export function secretNameOf(name: string): SecretName | null {
  if (name.length > NAME_CHARS_MAX) return null;
  const bare = name.toLowerCase().replace(/[-_.\s]/g, "");
  if (AMBIGUOUS.has(bare)) return "ambiguous";
  if (EXACT.has(bare) || (ENDINGS.test(bare) && !LABELS.test(bare))) return "certain";
  return OF_ENVIRONMENT.test(name) && !OF_PAGES.test(name) ? "ambiguous" : null;
}

const IDENTIFIER = /[\w.-]/;

/** The whole name that ends at a place and begins at `from` or behind it. */
export function nameBefore(text: string, from: number, end: number): string {
  let start = end;
  while (start > from && end - start <= NAME_CHARS_MAX && IDENTIFIER.test(text[start - 1]!)) start--;
  return text.slice(start, end);
}
