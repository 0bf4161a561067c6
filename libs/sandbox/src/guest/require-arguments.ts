/** Throws, as web APIs do, where fewer arguments were given than are required; undefined, where it is given, counts. */
export function requireArguments(what: string, required: number, given: number): void {
  if (given < required) throw new TypeError(`${what} requires ${required} arguments, but got ${given}`);
}
