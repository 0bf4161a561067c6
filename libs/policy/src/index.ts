export { askerOf, askerOfCall, type SaidOfAsker, withAsks } from "./asker.ts";
export { changedPaths } from "./changed-paths.ts";
export { checkPolicy, type CheckedPolicy, type PolicyRemark } from "./check-policy.ts";
export type { Verdict } from "./decide.ts";
export { BUILT_IN_GROUPS, NATIVE_TOOLS } from "./groups.ts";
export type { PolicyTool } from "./match-entry.ts";
export { isSeen, sightBy, sightOf, type Sight, verdictsBy, withGrant } from "./sight.ts";
