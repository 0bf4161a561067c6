import { Secret } from "../settings/fields.ts";
import { z } from "zod";

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Without line ends and other control characters, and in the one byte a character that a header has. */
const VALUE = /^[\x20-\x7e\xa0-\xff]*$/;

/**
 * `name=value` pairs between commas, percent-encoded, as the standard has them. The values are credentials as a rule: a
 * bad one is told by its place, and none is ever printed.
 */
export const otlpHeaders = z.string().transform((text, context) => {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return pairs.flatMap((pair, at) => {
    const header = readHeader(pair);
    if (header !== null) return [header];
    const message = `header ${at + 1} of ${pairs.length} must be name=value, percent-encoded`;
    context.addIssue({ code: "custom", message });
    return [];
  });
});

function readHeader(pair: string): readonly [string, Secret] | null {
  const at = pair.indexOf("=");
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  return NAME.test(name) && value !== null && VALUE.test(value) ? [name, new Secret(value)] : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
