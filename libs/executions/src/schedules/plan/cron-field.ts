/** One field of a cron pattern, by what may stand in it. */
export interface CronField {
  name: string;
  min: number;
  max: number;
  /** How many different values it has, which is the longest step. */
  count: number;
  /** Names of its values from `min` on. */
  names?: readonly string[];
  /** Texts that it may hold besides values, ranges and steps: alone, or as one of a list. */
  alone?: RegExp;
  listed?: RegExp;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** In their order; a pattern of five begins with the minute. */
export const CRON_FIELDS: readonly CronField[] = [
  { name: "second", min: 0, max: 59, count: 60 },
  { name: "minute", min: 0, max: 59, count: 60 },
  { name: "hour", min: 0, max: 23, count: 24 },
  { name: "day of month", min: 1, max: 31, count: 31, alone: /^\?$/, listed: /^L$/i },
  { name: "month", min: 1, max: 12, count: 12, names: MONTHS },
  // Sunday is 0 and 7. `#` and `L` go with one day: the second Tuesday, the last Friday.
  {
    name: "day of week",
    min: 0,
    max: 7,
    count: 7,
    names: DAYS,
    alone: /^(?:\?|(?:[0-7]|sun|mon|tue|wed|thu|fri|sat)#[1-5])$/i,
    listed: /^(?:[0-7]|sun|mon|tue|wed|thu|fri|sat)L$/i,
  },
];

/** The fault of a field's text, as in "has …"; null where there is none. */
export function troubleOf(field: CronField, text: string): string | null {
  if (text === "*" || field.alone?.test(text)) return null;
  for (const item of text.split(",")) {
    const range = field.listed?.test(item) ? null : readItem(field, item);
    if (typeof range === "string") return range;
  }
  return null;
}

/**
 * The same text as the library takes it: in capitals, and with every value of a list once (to it Sunday comes twice in
 * `0,7`). Of a text that is none, what it makes of that is its own.
 */
export function forLibrary(field: CronField, text: string): string {
  if (!text.includes(",") || troubleOf(field, text) !== null) return text.toUpperCase();
  const values = text.split(",").flatMap<string | number>((item) => {
    const range = readItem(field, item);
    return typeof range === "string" ? [`${dayOf(field, item)}L`] : valuesOf(field, range);
  });
  return [...new Set(values)].join(",");
}

interface Range {
  from: number;
  to: number;
  step: number;
}

/** `*` with a step, a value, or a range; a step goes with each. */
const ITEM = /^(?:(\*)(?=\/)|(\d+|[a-z]{3})(?:-(\d+|[a-z]{3}))?)(?:\/(\d+))?$/i;

/** The range that an item of a list stands for, or its fault. */
function readItem(field: CronField, item: string): Range | string {
  const { name, min, max, count, names } = field;
  const [, all, first, last, stepText] = ITEM.exec(item) ?? [];
  const from = all ? min : valueOf(field, first);
  const to = all || (stepText && !last) ? max : valueOf(field, last ?? first);
  if (from === null || to === null) {
    const named = names ? `, or ${names[0]} to ${names.at(-1)}` : "";
    return `has ${item} as ${name}, which is none (${min} to ${max}${named})`;
  }
  if (from > to) return `has ${item} as ${name}, which runs backwards`;
  const step = Number(stepText ?? 1);
  if (step < 1 || step > count) return `has ${item} as ${name}, whose step is not 1 to ${count}`;
  return { from, to, step };
}

function valueOf({ min, max, names = [] }: CronField, text = ""): number | null {
  const place = names.indexOf(text.toLowerCase());
  const value = place === -1 ? Number.parseInt(text, 10) : min + place;
  return value >= min && value <= max ? value : null;
}

/** Of a last one, the day of the week; nothing of the last day of a month. */
const dayOf = (field: CronField, item: string): number | "" => {
  const day = valueOf(field, item.slice(0, -1));
  return day === null ? "" : day % 7;
};

const valuesOf = ({ max }: CronField, { from, to, step }: Range): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => from + place * step).map((value) =>
    max === 7 ? value % 7 : value,
  );
