import type { Json, JsonObject } from "@bulkhead/core";
import { readTemplate } from "./read-template.ts";

/** A command line, or why the arguments make none, in a sentence. */
export type RenderedCommand = { command: string } | { refused: string };

/** The command line of a template that was checked: each placeholder is one word, whatever its argument holds. */
export function renderCommand(template: string, args: JsonObject): RenderedCommand {
  const { texts, keys } = readTemplate(template);
  const words = keys.map((key) => textOf(Object.hasOwn(args, key) ? args[key] : undefined));
  const at = words.findIndex((word) => word.includes("\0") || !word.isWellFormed());
  if (at >= 0) return { refused: `The argument ${keys[at]} holds a character that no command can be given.` };
  return { command: texts.map((text, n) => (n === 0 ? text : quoted(words[n - 1] ?? "") + text)).join("") };
}

/** Within single quotes nothing but their end means anything to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
