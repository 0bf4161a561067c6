import { defineProperty } from "./primordials.ts";

/** The name that a class has for tools: the bundler may give a class that speaks of itself another one. */
export function nameClass(Class: object, name: string): void {
  defineProperty(Class, "name", { value: name, writable: false, configurable: true, enumerable: false });
}
