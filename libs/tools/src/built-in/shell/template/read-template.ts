import { Fault } from "@bulkhead/core";

/** A template taken apart: a text before each placeholder's key, and one behind the last. */
export interface CommandTemplate {
  texts: string[];
  keys: string[];
}

const PLACEHOLDER = /\{\{\s*\.([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;
/** What begins as a placeholder and is none would else be run as it stands. */
const BEGUN = /\{\{\s*\./;

/** Throws `request.invalid` for what begins as a placeholder and is none. */
export function readTemplate(template: string): CommandTemplate {
  const parts = template.split(PLACEHOLDER);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const keys = parts.filter((_, at) => at % 2 === 1);
  const broken = texts.find((text) => BEGUN.test(text));
  if (broken === undefined) return { texts, keys };
  const from = broken.slice(broken.search(BEGUN)).slice(0, 40);
  throw invalidCommand(`has a placeholder that can't be read at ${JSON.stringify(from)}; one is {{.key}}`);
}

/** A fault of the record's field. */
export const invalidCommand = (message: string): Fault =>
  new Fault("request.invalid", { detail: `command ${message}.`, errors: [{ path: "command", message }] });
