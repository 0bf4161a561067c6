import type { ExecutionSummary } from "@bulkhead/client";
import { Badge } from "../design/badge.tsx";
import { STATUS_LOOKS } from "./execution-words.ts";

/** How an execution stands. */
export const RunBadge = ({ status }: Pick<ExecutionSummary, "status">) => (
  <Badge tone={STATUS_LOOKS[status].tone} hasDot>
    {STATUS_LOOKS[status].name}
  </Badge>
);
