/** The length of a path in UTF-8, of one of its parts, and how many parts it may have. */
export const FILE_PATH_BYTES_MAX = 1_024;
export const FILE_NAME_BYTES_MAX = 255;
export const FILE_DEPTH_MAX = 32;

/** A path as it is stored, or what is wrong with it, to be read behind "path". */
export type ParsedPath = { path: string; fault?: undefined } | { path?: undefined; fault: string };

/** Controls, breaks of lines, and what turns the direction of writing: a name with them looks like another one. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** What Windows takes for a device, with any ending: no download may become one there. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/**
 * Parses the path of a file, from the root of its workspace: `notes/today.md`, with or without `./` before it. There is one
 * way to write each path: in NFC, with `/` between parts, without a way up, and case counts.
 */
export function parseFilePath(said: string): ParsedPath {
  // Before anything looks at each character.
  if (said.length > FILE_PATH_BYTES_MAX || bytesOf(said) > FILE_PATH_BYTES_MAX) return tooLong;
  if (!said.isWellFormed()) return { fault: "must not contain lone surrogates" };
  const path = said.normalize("NFC").replace(/^\.\//, "");
  if (bytesOf(path) > FILE_PATH_BYTES_MAX) return tooLong;
  if (path === "") return { fault: "must name a file" };
  if (path.startsWith("/")) return { fault: "must be relative to the workspace: without / in front" };
  if (UNSEEN.test(path)) return { fault: "must not contain control characters" };
  if (path.includes("\\")) return { fault: "must not contain a backslash; parts are separated by /" };
  const names = path.split("/");
  if (names.length > FILE_DEPTH_MAX) return { fault: `must have ${FILE_DEPTH_MAX} parts at most` };
  for (const name of names) {
    const fault = whyNoName(name);
    if (fault !== null) return { fault };
  }
  return { path };
}

/** The same for a folder: the root is empty, `.` or `/`, and a `/` may stand behind its path. */
export function parseFolderPath(said: string): ParsedPath {
  if (said === "" || said === "." || said === "./" || said === "/") return { path: "" };
  return parseFilePath(said.endsWith("/") ? said.slice(0, -1) : said);
}

const tooLong: ParsedPath = { fault: `must have ${FILE_PATH_BYTES_MAX} bytes at most` };

function whyNoName(name: string): string | null {
  if (name === "") return "must not contain an empty part";
  if (name === "." || name === "..") return `must not contain the part ${name}`;
  if (bytesOf(name) > FILE_NAME_BYTES_MAX)
    return `must not have a part of more than ${FILE_NAME_BYTES_MAX} bytes`;
  if (/[. ]$/.test(name)) return "must not have a part that ends with a dot or a space";
  // A device stays one with any ending, and with spaces before the dot.
  if (DEVICE.test((name.split(".")[0] ?? "").trimEnd()))
    return "must not have a part that is the name of a device, such as con or nul";
  return null;
}

/** The folders above a path, the nearest last. */
export const foldersAbove = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_name, at, names) => names.slice(0, at + 1).join("/"));

/** Whether the path is the folder itself or lies within it; everything lies within the root. */
export const isWithin = (folder: string, path: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);
