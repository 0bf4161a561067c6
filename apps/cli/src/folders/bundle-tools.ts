import { CODE_BYTES_MAX } from "@bulkhead/tools/folders";
import { type Bundle, bundle, type BundleOptions } from "./bundle.ts";
import type { Picked } from "./pick-tools.ts";
import { entryOf } from "./tool-code.ts";

/** Bytes that a bundle may have before the lines around it. */
const BUNDLE_BYTES_MAX = CODE_BYTES_MAX - 32 * 1024;

/**
 * A bundle for each tool, as it was written; one that would be too large for the service is made short. Throws `BundleFailure`.
 */
export async function bundleTools(
  picked: readonly Picked[],
  specifier: string,
  options: BundleOptions,
): Promise<Bundle[]> {
  if (picked.length === 0) return [];
  const entries = picked.map((one, at) => entryOf(one, String(at), specifier));
  const bundles = await bundle(entries, options);
  const large = entries.filter((_, at) => isLarge(bundles[at]));
  if (large.length === 0) return bundles;
  const short = await bundle(large, { ...options, minify: true });
  const byName = new Map(large.map(({ name }, at) => [name, short[at]]));
  return entries.map(({ name }, at) => byName.get(name) ?? (bundles[at] as Bundle));
}

const isLarge = (one: Bundle | undefined): boolean =>
  one !== undefined && Buffer.byteLength(one.code) > BUNDLE_BYTES_MAX;
