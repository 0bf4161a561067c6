import { ERASABLE_PARTS, RETENTION_DAYS_MAX, type ErasablePart } from "@bulkhead/core";
import { z } from "zod";

const SAID = `must be "none" or a whole number of days from 1 to ${RETENTION_DAYS_MAX}`;

// Each branch has the words too: an issue of one branch alone shows the branch's own.
const Term = z.union(
  [
    z.literal("none", { error: SAID }),
    z.int({ error: SAID }).min(1, { error: SAID }).max(RETENTION_DAYS_MAX, { error: SAID }),
  ],
  { error: SAID },
);

const meanings: Record<ErasablePart, string> = {
  arguments: "Its arguments.",
  result: "Its result, with the text of its errors; their codes stay.",
  events: "Its log lines and emitted values.",
};

/** For how long executions' data are kept. */
export const Retention = z
  .strictObject({
    arguments: Term.optional().describe(meanings.arguments),
    result: Term.optional().describe(meanings.result),
    events: Term.optional().describe(meanings.events),
  } satisfies Record<ErasablePart, z.ZodType>)
  .describe(
    "How long the data of executions are kept after their end: so many days, and no longer than the executions, or `none`: they are answered and sent to the callback, then erased within about a minute. A missing part has the tenant's setting, else the platform's. It holds for executions that are accepted from now on.",
  );

/** The parts of an execution that have been erased. */
export const Erased = z
  .array(z.enum(ERASABLE_PARTS))
  .optional()
  .describe(
    "The parts that were erased, by its retention or by `store: false`: `arguments` are then `{}`, `result` null. Absent: none was.",
  );

/** Without a default, so that the hash of a body without it is the one from before there was one. */
export const store = z
  .boolean()
  .optional()
  .describe(
    "false: no data of the call are kept, neither arguments, result nor events, whatever its tool and tenant set, nor those of its tool's own calls: once its end is answered and sent to its callback, they are erased within about a minute (a caller that does not wait can read the end within half a minute, or get it by the callback). The fact that it ran stays, with its status, error code and usage. An agent's key may not set it.",
  );
