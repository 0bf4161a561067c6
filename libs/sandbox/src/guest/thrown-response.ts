import { isReadable } from "./body.ts";
import { CUT_MARK, head } from "./budget.ts";
import { makeGlobal } from "./globals.ts";
import { objectToString } from "./primordials.ts";
import { readBeginning } from "./read-text.ts";
import type { Response } from "./response.ts";

/** Characters of a body that are shown, and how much of it is read for that. */
const BODY_CHARS_MAX = 500;

export const isResponse = (value: object): value is Response =>
  objectToString(value) === "[object Response]" &&
  value instanceof (makeGlobal("Response") as abstract new () => object);

/** "Response 404 Not Found": the part that needs no wait for the body. */
export function responseTitle({ status, statusText }: Response): string {
  return `Response ${status}${statusText === "" ? "" : ` ${statusText}`}`;
}

/** The beginning of its body behind a colon, nothing where it has none or was read. Rejects as a body does. */
export async function bodyBeginning(response: Response): Promise<string> {
  if (!isReadable(response)) return "";
  const text = await readBeginning(response, BODY_CHARS_MAX + 1);
  if (text === "") return "";
  return `: ${head(text, BODY_CHARS_MAX)}${text.length > BODY_CHARS_MAX ? CUT_MARK : ""}`;
}
