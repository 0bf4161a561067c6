/** A package that is part of a tool's code, as the lock file of whoever bundled it names it; nobody here vouches for it. */
export interface BundledPackage {
  name: string;
  version: string;
  /** The hash of its archive; null where no lock file had one. */
  integrity: string | null;
}

/** Packages that a code names; more are left out. */
const BUNDLED_PACKAGES_MAX = 200;
const NO_HASH = "(in no lock file)";
const LINE = /^\/\/ bundled: (\S{1,300})@(\S{1,300}) (\S{1,300}|\(in no lock file\))$/;

/**
 * The first lines of a bundle's code, one a package: so they are part of the version and its hash, and a changed one is seen in
 * the difference. No part of a package may hold white space.
 */
export const bundledLines = (packages: readonly BundledPackage[]): string[] =>
  packages
    .slice(0, BUNDLED_PACKAGES_MAX)
    .map(({ name, version, integrity }) => `// bundled: ${name}@${version} ${integrity ?? NO_HASH}\n`);

/** The last line of a bundle that decides on approvals, in which the whole tool is. */
export const BUNDLED_APPROVAL = "return bulkhead.needsApproval(args, context);\n";

/** The packages that the first lines of a code name. */
export function bundledPackages(code: string): BundledPackage[] {
  const packages: BundledPackage[] = [];
  for (const line of code.split("\n", BUNDLED_PACKAGES_MAX)) {
    const [, name, version, integrity] = LINE.exec(line) ?? [];
    if (name === undefined || version === undefined || integrity === undefined) break;
    packages.push({ name, version, integrity: integrity === NO_HASH ? null : integrity });
  }
  return packages;
}
