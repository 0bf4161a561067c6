import { format } from "./format.ts";
import {
  getOwnPropertyDescriptor,
  isArray,
  join,
  mapEach,
  mapGet,
  mapSet,
  mapSize,
  MapCtor,
  objectToString,
  ownKeys,
  push,
  setEach,
  slice,
} from "./primordials.ts";

const ROWS_MAX = 100;
const COLUMNS_MAX = 20;
const CELL_CHARS_MAX = 60;
const CUT = "…";
/** The column for values that are no objects, and have no columns of their own. */
const VALUES = "Values";

/** Column by column, so that the widest cell of each is known; the first is the rows' names. */
type Columns = Map<string, string[]>;

/**
 * Rows and columns of a list or an object: cells of 60 characters, 100 rows and 20 columns at most; null if it has no rows
 * or can't be read. If `wanted` is a list, only those columns are shown.
 */
export function tableOf(data: unknown, wanted: unknown): string | null {
  try {
    const rows = rowsOf(data);
    return rows === null ? null : tableText(rows, isArray(wanted) ? wanted : null);
  } catch {
    // A proxy of the tool's own threw: the line is an ordinary log line of it.
    return null;
  }
}

function tableText(rows: Rows, wanted: unknown[] | null): string {
  const columns: Columns = new MapCtor();
  mapSet(columns, "(index)", rows.names);
  const named = wanted ?? [];
  for (let i = 0; i < named.length && i < COLUMNS_MAX; i++) mapSet(columns, cell(named[i]), []);
  for (let i = 0; i < rows.values.length; i++) fillRow(columns, i, rows.values[i], wanted !== null);
  const more = rows.more > 0 ? `\n${CUT} ${rows.more} more rows` : "";
  return drawn(columns, rows.names.length) + more;
}

interface Rows {
  names: string[];
  values: unknown[];
  more: number;
}

function rowsOf(data: unknown): Rows | null {
  if (typeof data !== "object" || data === null) return null;
  const rows: Rows = { names: [], values: [], more: 0 };
  const add = (name: unknown, value: unknown): void => {
    if (rows.names.length >= ROWS_MAX) rows.more++;
    else {
      push(rows.names, cell(name));
      push(rows.values, value);
    }
  };
  const tag = objectToString(data);
  if (tag === "[object Map]") mapEach(data, (value: unknown, key: unknown) => add(key, value));
  else if (tag === "[object Set]") setEach(data, (value: unknown) => add(rows.names.length, value));
  else if (isArray(data)) {
    for (let i = 0; i < data.length && i < ROWS_MAX; i++) add(i, data[i]);
    rows.more = data.length > ROWS_MAX ? data.length - ROWS_MAX : 0;
  } else eachField(data, add);
  return rows;
}

function eachField(value: object, visit: (name: string, value: unknown) => void): void {
  const keys = ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | symbol;
    if (typeof key === "symbol") continue;
    const field = getOwnPropertyDescriptor(value, key);
    if (field?.enumerable === true) visit(key, "value" in field ? field.value : "[getter]");
  }
}

function fillRow(columns: Columns, row: number, value: unknown, isClosed: boolean): void {
  const fill = (name: string, shown: unknown): void => {
    let cells = mapGet(columns, name) as string[] | undefined;
    if (cells === undefined) {
      if (isClosed || mapSize(columns) > COLUMNS_MAX) return;
      mapSet(columns, name, (cells = []));
    }
    cells[row] = cell(shown);
  };
  if (typeof value !== "object" || value === null) fill(VALUES, value);
  else eachField(value, (name, field) => fill(cell(name), field));
}

function cell(value: unknown): string {
  const text = format(value);
  // A cell may hold no line ends.
  let shown = "";
  for (let i = 0; i < text.length && i < CELL_CHARS_MAX; i++) shown += text[i] === "\n" ? " " : text[i];
  return text.length > CELL_CHARS_MAX ? slice(shown, 0, CELL_CHARS_MAX - 1) + CUT : shown;
}

/** The names, a rule and a line for each row; cells have the width of their column. */
function drawn(columns: Columns, count: number): string {
  const lines: string[] = [];
  mapEach(columns, (cells: string[], name: string) => {
    let width = name.length;
    for (let row = 0; row < count; row++) {
      const { length } = cells[row] ?? "";
      if (length > width) width = length;
    }
    const isFirst = lines.length === 0;
    const append = (line: number, text: string, between: string, filler: string): void => {
      let padded = isFirst ? text : lines[line] + between + text;
      for (let at = text.length; at < width; at++) padded += filler;
      lines[line] = padded;
    };
    append(0, name, " | ", " ");
    append(1, "", "-+-", "-");
    for (let row = 0; row < count; row++) append(row + 2, cells[row] ?? "", " | ", " ");
  });
  return join(lines, "\n");
}
