import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** What only this machine, Node or the sandbox's own make can be the source of. */
const TRACES: RegExp[] = [
  /\bnode:[a-z_]+/u,
  /\bfile:\/\//u,
  /isolated[-_]vm/iu,
  /\bivm\b/u,
  /node_modules/u,
  /\/(?:proc|etc|usr|home|root|opt|var|tmp|work|srv|app|apps|libs|src)\//u,
  /[A-Z]:\\\\/u,
  /\bat [^\n]*\.(?:ts|mjs|cjs)\b/u,
];

/** The first trace of the host in a text that a tool has seen or said; null where there is none. */
export function hostTraceIn(text: string): string | null {
  const own = [ROOT, process.execPath, homedir(), tmpdir()].find(
    (path) => path.length > 2 && text.includes(path),
  );
  if (own !== undefined) return own;
  for (const trace of TRACES) {
    const found = trace.exec(text);
    if (found !== null) return text.slice(Math.max(0, found.index - 60), found.index + 60);
  }
  return text.includes(`uid=${userInfo().uid}(`) ? "a user id" : null;
}
