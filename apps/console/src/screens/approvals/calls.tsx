import type { Approval } from "@bulkhead/client";
import { Words } from "../../design/words.tsx";
import { previewOf } from "./approval-words.ts";

const CALLS_SHOWN = 20;

/** Which calls they are. */
export const Calls = ({ approvals }: { approvals: readonly Approval[] }) => (
  <ul className="flex flex-col gap-1.5 text-sm">
    {approvals.slice(0, CALLS_SHOWN).map((approval) => (
      <li key={approval.id} className="min-w-0 break-words">
        <span className="font-mono font-semibold">
          <Words text={approval.toolName} />
        </span>{" "}
        <span className="font-mono text-xs text-ink-2">
          <Words text={previewOf(approval.arguments)} />
        </span>
      </li>
    ))}
    {approvals.length > CALLS_SHOWN && (
      <li className="text-ink-3">and {(approvals.length - CALLS_SHOWN).toLocaleString()} more</li>
    )}
  </ul>
);
