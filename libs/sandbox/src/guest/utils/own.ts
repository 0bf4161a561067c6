/** Gives the object a property of its own under any name: assignment to `__proto__` would change its prototype. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  // Only that name has a setter above it, and plain assignment is several times faster.
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The property if it is the value's own, else undefined: nothing inherited, `constructor` for one, is ever seen. */
export const ownValue = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
