import { readAllowedHosts, Fault } from "@bulkhead/core";

/** The hosts in their one notation; null stays null. Throws `request.invalid` with the place of each pattern that is none. */
export function checkAllowedHosts(patterns: readonly string[] | null): string[] | null {
  if (patterns === null) return null;
  const read = readAllowedHosts(patterns);
  if (read.ok) return read.hosts;
  throw new Fault("request.invalid", {
    detail: `${read.faults[0]?.path} ${read.faults[0]?.message}.`,
    errors: read.faults,
  });
}
