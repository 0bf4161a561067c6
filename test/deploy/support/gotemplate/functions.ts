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
  fail: (message) => {
    throw new Error(show(message));
  },
  gt: (left, right) => Number(left) > Number(right),
  has: (item, items) => Array.isArray(items) && items.includes(item),
  int: (value) => Math.trunc(Number(value)),
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
  regexMatch: (pattern, text) => new RegExp(show(pattern)).test(show(text)),
  replace: (from, to, text) => show(text).replaceAll(show(from), show(to)),
  required: (message, value) => {
    if (value === undefined || value === null || value === "") throw new Error(show(message));
    return value;
  },
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  trimAll: (characters, text) => {
    let kept = show(text);
    while (kept !== "" && show(characters).includes(kept.slice(-1))) kept = kept.slice(0, -1);
    while (kept !== "" && show(characters).includes(kept.slice(0, 1))) kept = kept.slice(1);
    return kept;
  },
  trunc: (length, text) => show(text).slice(0, Number(length)),
};
