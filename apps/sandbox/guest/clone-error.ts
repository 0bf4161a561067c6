import { defineProperty, toText } from "./primordials.ts";

const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** The copy without its cause, and what puts that in; its class is the standard's, known by its name. */
export function copyError(
  error: Error,
  copy: (value: unknown) => unknown,
): { made: object; fill: () => void } {
  const { name, message, stack } = error;
  const Kind = ERRORS.find((one) => one.name === name) ?? Error;
  const made = new Kind(message === undefined ? "" : toText(message));
  const put = (key: string, value: unknown): boolean =>
    defineProperty(made, key, { value, writable: true, configurable: true, enumerable: false });
  // Web APIs name their errors so; on the web they are of a class of their own.
  if (Kind === Error && name !== "Error") put("name", toText(name));
  if (typeof stack === "string") put("stack", stack);
  return { made, fill: () => void (Object.hasOwn(error, "cause") && put("cause", copy(error.cause))) };
}
