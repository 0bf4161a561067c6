/** A cell that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Rows as comma-separated values (RFC 4180). A cell that begins like a formula gets an apostrophe before it, so that no
 * spreadsheet runs what a stranger wrote.
 */
export const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map(cell).join(","))
    .join("\r\n")
    .concat("\r\n");

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
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
