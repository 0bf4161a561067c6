import { defineProperty, getOwnPropertyDescriptor, ownKeys } from "./primordials.ts";

interface WebClass {
  readonly prototype: object;
}

/** The other attributes of a property stay as they are. */
const SHOWN = { enumerable: true };

/**
 * Makes a class one of the web's: its name for tools (the bundler may give a class that speaks of itself another one), and
 * members that a loop finds, as the standard of web interfaces has them. To be called when its methods are there.
 */
export function webInterface(Class: WebClass, name: string): void {
  defineProperty(Class, "name", { value: name, writable: false, configurable: true, enumerable: false });
  const { prototype } = Class;
  const keys = ownKeys(prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | symbol;
    if (key !== "constructor" && typeof key === "string") defineProperty(prototype, key, SHOWN);
  }
}

/** Gives `to` the members of `from`, another web class, as where an interface includes a mixin. */
export function shareMembers(from: WebClass, to: WebClass): void {
  const keys = ownKeys(from.prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const member = getOwnPropertyDescriptor(from.prototype, key);
    if (member?.enumerable === true) defineProperty(to.prototype, key, member);
  }
}
