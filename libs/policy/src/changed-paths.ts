import type { PolicyDocument } from "@bulkhead/core";
import { listsOf } from "./check-policy.ts";

/** The places of all that two documents say differently, in the alphabet's order: lists as sets, and profiles. */
export function changedPaths(before: PolicyDocument, after: PolicyDocument): string[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths].filter((path) => old.get(path) !== now.get(path)).toSorted();
}

/** What each part says, as text that doesn't depend on the order of entries. */
function partsOf(policy: PolicyDocument): Map<string, string> {
  const profiles = [
    ["profile", policy.profile] as const,
    ...Object.entries(policy.byProvider ?? {}).map(
      ([name, { profile }]) => [`byProvider.${name}.profile`, profile] as const,
    ),
  ];
  return new Map([
    ...profiles.flatMap(([path, name]) => (name === undefined ? [] : [[path, name] as const])),
    ...listsOf(policy).map(
      ({ path, entries }) => [path, JSON.stringify([...new Set(entries)].toSorted())] as const,
    ),
  ]);
}
