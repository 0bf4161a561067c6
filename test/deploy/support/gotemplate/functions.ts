import { stringify } from "yaml";

type Fn = (...args: unknown[]) => unknown;

/** What Go's templates take for false. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** How a value is printed: text as it is, nothing for what is not there, the rest as JSON. */
export const show = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

const indent = (spaces: unknown, text: unknown): string =>
  show(text)
    .split("\n")
    .map((line) => " ".repeat(Number(spaces)) + line)
    .join("\n");

/** The functions of Helm that the chart uses, and no other: an unknown one is an error. */
export const FUNCTIONS: Readonly<Record<string, Fn>> = {
  add: (...numbers) => numbers.reduce((sum: number, number) => sum + Number(number), 0),
  and: (...values) => values.find(isEmpty) ?? values.at(-1),
  default: (fallback, value) => (isEmpty(value) ? fallback : value),
  dict: (...pairs) =>
    Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[show(key), pairs[at + 1]]] : []))),
  eq: (left, right) => left === right,
  has: (item, items) => Array.isArray(items) && items.includes(item),
  join: (by, items) => (items as unknown[]).map(show).join(show(by)),
  kindIs: (kind, value) =>
    kind === "invalid" ? value === undefined || value === null : typeof value === kind,
  list: (...items) => items,
  mul: (...numbers) => numbers.reduce((product: number, number) => product * Number(number), 1),
  ne: (left, right) => left !== right,
  nindent: (spaces, text) => `\n${indent(spaces, text)}`,
  not: (value) => isEmpty(value),
  or: (...values) => values.find((value) => !isEmpty(value)) ?? values.at(-1),
  printf: (format, ...args) => show(format).replaceAll(/%[sd]/g, () => show(args.shift())),
  quote: (value) => JSON.stringify(show(value)),
  required: (message, value) => {
    if (value === undefined || value === null || value === "") throw new Error(show(message));
    return value;
  },
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  trimSuffix: (suffix, text) =>
    show(text).endsWith(show(suffix)) ? show(text).slice(0, -show(suffix).length) : show(text),
  trunc: (length, text) => show(text).slice(0, Number(length)),
};
