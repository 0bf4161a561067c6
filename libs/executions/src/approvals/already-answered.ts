import { type Approval, Fault } from "@bulkhead/core";

/** Says what became of a call that nobody can answer any more, and by whose key. */
export function alreadyAnswered({ status, answer }: Pick<Approval, "status" | "answer">): Fault {
  const by = answer?.by ? ` by ${answer.by}` : "";
  return new Fault("approval.already_answered", {
    detail: `The call does not wait any more: ${status}${by}.`,
  });
}
