import { createRequire } from "node:module";

/** The version of isolated-vm that the sandbox program at `entry` loads; this process never loads it. */
export function isolatedVmVersion(entry: string): string {
  const { version } = createRequire(entry)("isolated-vm/package.json") as { version: string };
  return version;
}
