/** The deepest nesting of a value that leaves a sandbox: stores and readers of JSON can follow it without overflowing. */
export const JSON_DEPTH_MAX = 100;

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether valid JSON text nests deeper than `JSON_DEPTH_MAX`. One pass over the text, no recursion. */
export function nestsTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (unit === 91 || unit === 123) {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (unit === 93 || unit === 125) depth -= 1;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === BACKSLASH) at += 1;
    else if (unit === QUOTE) return at;
  }
  return json.length;
}

/** Whether a text is JSON that nests no deeper than `JSON_DEPTH_MAX`, as a sandbox of ours would send it. */
export function isSoundJson(text: string): boolean {
  try {
    JSON.parse(text);
    return !nestsTooDeep(text);
  } catch {
    return false;
  }
}
