import { DOMException, isDomException } from "./dom-exception.ts";
import { defineProperty, toText } from "./primordials.ts";

const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** The copy without its cause, and a function that adds it; its class is the standard's, chosen by its name. */
export function copyError(
  error: Error,
  copy: (value: unknown) => unknown,
): { made: object; fill: () => void } {
  const { name, message, stack } = error;
  const isWeb = isDomException(error);
  const Kind = ERRORS.find((one) => one.name === name) ?? Error;
  const made = isWeb
    ? new DOMException(message, name)
    : new Kind(message === undefined ? "" : toText(message));
  const put = (key: string, value: unknown): boolean =>
    defineProperty(made, key, { value, writable: true, configurable: true, enumerable: false });
  // The standard drops such a name; a log of the copy should still show it.
  if (!isWeb && Kind === Error && name !== "Error") put("name", toText(name));
  if (typeof stack === "string") put("stack", stack);
  if (isWeb) return { made, fill: () => undefined };
  return { made, fill: () => void (Object.hasOwn(error, "cause") && put("cause", copy(error.cause))) };
}
