import { CODE_BYTES_MAX } from "@bulkhead/tools/folders";
import { type Bundle, bundle, type BundleOptions } from "./bundle.ts";
import type { Picked } from "./pick-tools.ts";
import { approvalEntryOf, entryOf } from "./tool-code.ts";

/** Bytes that a bundle may have before the lines around it. */
const BUNDLE_BYTES_MAX = CODE_BYTES_MAX - 32 * 1024;

/** The bundles of a tool; `approval` is that of its `needsApproval`, null where this is no function. */
export interface ToolBundles {
  tool: Bundle;
  approval: Bundle | null;
}

/**
 * Bundles for each tool, as they were written; one that would be too large for the service is made short. Throws `BundleFailure`.
 */
export async function bundleTools(
  picked: readonly Picked[],
  specifier: string,
  options: BundleOptions,
): Promise<ToolBundles[]> {
  if (picked.length === 0) return [];
  const entries = picked.flatMap((one, at) => [
    entryOf(one, String(at), specifier),
    ...(asksItself(one) ? [approvalEntryOf(one, `${at}-approval`, specifier)] : []),
  ]);
  const bundles = await bundle(entries, options);
  const byName = new Map(entries.map(({ name }, at) => [name, bundles[at] as Bundle]));
  const large = entries.filter(({ name }) => isLarge(byName.get(name)));
  const short = large.length === 0 ? [] : await bundle(large, { ...options, minify: true });
  for (const [at, { name }] of large.entries()) byName.set(name, short[at] as Bundle);
  return picked.map((_, at) => ({
    tool: byName.get(String(at)) as Bundle,
    approval: byName.get(`${at}-approval`) ?? null,
  }));
}

const asksItself = ({ described }: Picked): boolean => described.needsApproval === "function";

const isLarge = (one: Bundle | undefined): boolean =>
  one !== undefined && Buffer.byteLength(one.code) > BUNDLE_BYTES_MAX;
