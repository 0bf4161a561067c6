import { parseCsv } from "./parse-csv.ts";
import { imageIn } from "./read-content.ts";

/** The ways in which a result can be shown. */
export const FORM_NAMES = {
  table: "Table",
  markdown: "Markdown",
  image: "Image",
  tree: "JSON",
  text: "Text",
} as const;

export type Form = keyof typeof FORM_NAMES;

const COLUMNS_MAX = 40;
/** Rows that are read; more are for whoever asks for the text. */
const ROWS_MAX = 10_000;
/** Characters that are looked at to tell what a text is. */
const CHARS_TRIED = 20_000;

/** Those that fit a value, the best one first. */
export function formsOf(value: unknown): Form[] {
  if (typeof value === "string") {
    if (imageIn(value) !== null) return ["image", "text"];
    if (isMarkdown(value)) return ["markdown", "text"];
    return tableOf(value) === null ? ["text"] : ["table", "text"];
  }
  return tableOf(value) === null ? ["tree"] : ["table", "tree"];
}

const MARKS = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /^\s{0,3}\|?[ :]*-{3,}[ :]*\|/m,
  /\*\*[^\s*][^*\n]{0,300}\*\*/,
  /\[[^\]\n]{1,300}\]\(https?:/,
  /^\s{0,3}[-*] \S[^\n]*\n+\s{0,3}[-*] \S/m,
];

const isMarkdown = (text: string): boolean => {
  const start = text.slice(0, CHARS_TRIED);
  return MARKS.some((mark) => mark.test(start));
};

/** Names and values in rows. */
export interface TableData {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

const isFlat = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one !== "object" || one === null);

/** A list of flat objects, or a text of separated values, as a table; null where the value is neither. */
export function tableOf(value: unknown): TableData | null {
  if (typeof value === "string") {
    const [columns, ...rows] = parseCsv(value, ROWS_MAX) ?? [];
    // Behind the lines that were tried a row may be of any length.
    const isWide = columns === undefined || [columns, ...rows].some(({ length }) => length > COLUMNS_MAX);
    return isWide ? null : { columns, rows };
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlat)) return null;
  const columns = new Set<string>();
  for (const row of value) for (const name of Object.keys(row)) columns.add(name);
  if (columns.size === 0 || columns.size > COLUMNS_MAX) return null;
  const names = [...columns];
  return {
    columns: names,
    rows: value.map((row) => names.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))),
  };
}
