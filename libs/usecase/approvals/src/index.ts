export {
  allowAny,
  denyAny,
  getAnyApproval,
  listAnyApprovals,
  type AnswerAnyDeps,
  type AnyApproval,
} from "./any-approval.ts";
export { askPerson, type AskPersonDeps } from "./meta-tools/ask-person.ts";
export { sweepCalls, type SweepCallsDeps } from "./meta-tools/sweep-calls.ts";
export { listStandingApprovals, revokeStanding, type StandingDeps } from "./standing.ts";
