/** Lines that are looked at to tell whether a text is a table. */
const LINES_TRIED = 20;
const SEPARATORS = [",", ";", "\t"] as const;

/** Rows of values, with quotes as RFC 4180 has them; at most so many rows. */
function readRows(text: string, separator: string, rowsMax: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < rowsMax; at += 1) {
    const char = text[at] ?? "";
    if (isQuoted) {
      if (char !== '"') value += char;
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && value === "") isQuoted = true;
    else if (char === separator) {
      row.push(value);
      value = "";
    } else if (char === "\n") {
      rows.push([...row, value.replace(/\r$/, "")]);
      row = [];
      value = "";
    } else value += char;
  }
  if (rows.length < rowsMax && (value !== "" || row.length > 0)) rows.push([...row, value]);
  return rows;
}

/** The rows of a text that is a table of values: two rows and columns or more, all of the same length. Null: it is none. */
export function parseCsv(text: string, rowsMax: number): string[][] | null {
  for (const separator of SEPARATORS) {
    const tried = readRows(text, separator, LINES_TRIED);
    const columns = tried[0]?.length ?? 0;
    if (columns < 2 || tried.length < 2 || tried.some((row) => row.length !== columns)) continue;
    return readRows(text, separator, rowsMax);
  }
  return null;
}
