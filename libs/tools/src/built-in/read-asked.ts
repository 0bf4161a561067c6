import { readInput } from "@bulkhead/contracts";
import type { EffectRefusal } from "@bulkhead/core";
import type { z } from "zod";

interface Refused {
  ok: false;
  code: EffectRefusal;
  message: string;
}

/** What a run asks of a capability as its schema reads it, or the first fault with its place, in the words of routes. */
export function readAsked<S extends z.ZodType>(
  schema: S,
  said: unknown,
): { ok: true; asked: z.output<S> } | Refused {
  const { value, faults } = readInput(schema, said);
  if (faults === null) return { ok: true, asked: value };
  const [{ path, message } = { path: "", message: "are not valid" }] = faults;
  const at = path === "" ? "the arguments" : path;
  return { ok: false, code: "invalid_request", message: `${at}: ${message}` };
}
