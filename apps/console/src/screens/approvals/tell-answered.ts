import { wordsOf } from "../../data/api.ts";
import type { Given } from "../../data/approvals.ts";
import { notify } from "../../design/notices.tsx";

const DONE = { once: "Allowed", always: "Allowed always", deny: "Denied" } as const;

/** Tells how answers went: those that counted together, those that failed one by one. */
export function tellAnswered({ answer: { kind }, approvals, failed }: Given): void {
  const count = approvals.length - failed.length;
  const [first] = approvals;
  if (count === 1 && approvals.length === 1) notify("good", `${DONE[kind]}: ${first?.toolName}`);
  else if (count > 0) notify("good", `${DONE[kind]}: ${count.toLocaleString()} calls`);
  for (const { approval, error } of failed) notify("bad", `${approval.toolName}: ${wordsOf(error)}`);
}
