import { AsyncFunction } from "./primordials.ts";

/** Compiles `code` as a body, so that none can close the function around it and run outside. Throws a SyntaxError. */
export function checkBody(code: string): void {
  void new AsyncFunction(`"use strict";\n${code}`);
}
