import { checkCode, type CodeFault } from "@bulkhead/tools/code";
import { LRUCache } from "lru-cache";
import { createHash } from "node:crypto";

/** How many verdicts are kept; each is a few hundred bytes at most. */
const VERDICTS_MAX = 20_000;

type Verdict = CodeFault | "fine";

/**
 * The first fault of a tool's code, or null. A cached definition is checked once; for a new one (a dry run, a version that
 * was evicted from the cache) the result is remembered by the code's hash, which is much cheaper than parsing it again.
 */
export function rememberCodeFaults(): (tool: { code: string }) => CodeFault | null {
  const byDefinition = new WeakMap<object, Verdict>();
  const byHash = new LRUCache<string, Verdict>({ max: VERDICTS_MAX });
  return (tool) => {
    let verdict = byDefinition.get(tool);
    if (verdict === undefined) {
      const hash = createHash("sha256").update(tool.code).digest("base64");
      verdict = byHash.get(hash) ?? checkCode(tool.code)[0] ?? "fine";
      byHash.set(hash, verdict);
      byDefinition.set(tool, verdict);
    }
    return verdict === "fine" ? null : verdict;
  };
}
