/**
 * Where a spreadsheet would see a formula begin: at the beginning of a cell, and behind what parts cells in other languages (a
 * semicolon) or where quotes are not heeded.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@])|^(?=[\t\r])/g;

/**
 * Rows as comma-separated values (RFC 4180). What begins like a formula gets an apostrophe before it, so that no
 * spreadsheet runs what a stranger wrote.
 */
export const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map(cell).join(","))
    .join("\r\n")
    .concat("\r\n");

function cell(text: string): string {
  const safe = text.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser keep some text or bytes, or their parts, as a file of this name. */
export function saveFile(name: string, type: string, content: BlobPart | BlobPart[]): void {
  const url = URL.createObjectURL(new Blob([content].flat(), { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken what it needs once the click is done.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
