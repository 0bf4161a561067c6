/** Letters that another system would read as a way out of the folder, or that no name needs. */
// oxlint-disable-next-line no-control-regex -- these are what no name needs
const STRANGE = /[\u0000-\u001f\u007f\\:]/;
const NO_PARTS = ["", ".", "..", "__proto__"];

/** Why a folder or a file of an import can't be there; null for a relative path that stays below where it begins. */
export const archivePathFault = (path: string): string | null =>
  STRANGE.test(path) || path.split("/").some((part) => NO_PARTS.includes(part))
    ? `holds the path ${JSON.stringify(path)}, which is not allowed`
    : null;
