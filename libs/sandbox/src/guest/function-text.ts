import { defineProperty, getOwnPropertyDescriptor, indexOf, slice, uncurry } from "./primordials.ts";

const NAME_CHARS_MAX = 100;
const native: unknown = getOwnPropertyDescriptor(Function.prototype, "toString")?.value;
const textOf = uncurry(native as () => string);

/** The tool as the host compiled it; its text holds every function that the tool wrote. */
let tool: object | null = null;
let toolText = "";

/** To be called before the tool is. */
export function setTool(compiled: object): void {
  tool = compiled;
}

/** A method of a literal can't be constructed, as the one that it replaces can't. */
const shown = {
  toString(this: unknown): string {
    // A TypeError, as ever, where it is no function.
    const text = textOf(this);
    if (toolText === "" && tool !== null) toolText = textOf(tool);
    return indexOf(toolText, text) >= 0 ? text : `function ${nameOf(this as object)}() { [native code] }`;
  },
};

/**
 * Makes every function that is not the tool's own print as a built-in does: the guest's sources are nobody's business, and
 * long. It costs a run that doesn't print functions nothing but the one property.
 */
export function hideSources(prototype: object): void {
  defineProperty(prototype, "toString", {
    value: getOwnPropertyDescriptor(shown, "toString")?.value,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

function nameOf(printed: object): string {
  const name: unknown = getOwnPropertyDescriptor(printed, "name")?.value;
  return typeof name === "string" ? slice(name, 0, NAME_CHARS_MAX) : "";
}
