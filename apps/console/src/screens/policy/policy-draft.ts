import { BulkheadError, type PolicyDocument, type PolicyDocumentInput } from "@bulkhead/client";
import { isObject } from "../../format/json-object.ts";

export const textOf = (document: PolicyDocument | PolicyDocumentInput): string =>
  JSON.stringify(document, null, 2);

export type Draft = { document: PolicyDocumentInput } | { fault: string };

/** What a person has typed, as far as it is JSON of the right kind; the server judges the rest. */
export function readDraft(text: string): Draft {
  try {
    const document: unknown = JSON.parse(text);
    if (isObject(document)) return { document };
    return { fault: "The policy is a JSON object, such as {}." };
  } catch (error) {
    return { fault: `This is no JSON yet: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** Something about a place in the document. */
export interface Remark {
  path: string;
  message: string;
}

/** An explanation is asked with the document in this field. */
const FIELD = "policy.";

/** What the server has against the document, by its places; empty where it was something else, or nothing. */
export const faultsIn = (error: unknown): Remark[] =>
  error instanceof BulkheadError && error.status === 400
    ? error.errors.map(({ path, message }) => ({
        path: path.startsWith(FIELD) ? path.slice(FIELD.length) : path,
        message,
      }))
    : [];

/** Where in the text the value of a path such as `agents.alpha.deny.0` stands: its beginning and end. Null: nowhere. */
export function placeOf(text: string, path: string): readonly [from: number, to: number] | null {
  let at = 0;
  let found: readonly [number, number] | null = null;
  const skip = (): void => {
    while (/\s/.test(text[at] ?? "")) at += 1;
  };
  const token = (): string => {
    const from = at;
    if (text[at] === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
      at += 1;
    } else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? "")) at += 1;
    return text.slice(from, at);
  };
  const value = (here: string): void => {
    skip();
    const from = at;
    const open = text[at];
    if (open === "{" || open === "[") {
      at += 1;
      skip();
      for (let index = 0; at < text.length && !/[\]}]/.test(text[at] ?? ""); index += 1) {
        const name = open === "{" ? String(JSON.parse(token())) : String(index);
        if (open === "{") {
          skip();
          at += 1;
        }
        value(here === "" ? name : `${here}.${name}`);
        skip();
        if (text[at] === ",") at += 1;
        skip();
      }
      at += 1;
    } else token();
    if (here === path) found = [from, at];
  };
  if ("document" in readDraft(text)) value("");
  return found;
}
