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
  arguments: "What it was called with.",
  result: "What it answered, with the text of its errors; their codes stay.",
  events: "What it logged and emitted.",
};

/** For how long executions' data are kept. */
export const Retention = z
  .strictObject({
    arguments: Term.optional().describe(meanings.arguments),
    result: Term.optional().describe(meanings.result),
    events: Term.optional().describe(meanings.events),
  } satisfies Record<ErasablePart, z.ZodType>)
  .describe(
    "For how long the data of executions are kept after their end: so many days, and no longer than the executions, or `none`: they are answered and told to the callback, then erased within about a minute. Of a part that is left out: as the tenant's settings say, else the platform. It holds for what is accepted from now on.",
  );

/** The parts of an execution that have been erased. */
export const Erased = z
  .array(z.enum(ERASABLE_PARTS))
  .optional()
  .describe(
    "What of it was erased, by its retention or by `store: false`: `arguments` are then `{}`, `result` null. Absent: nothing was.",
  );

/** Without a default, so that the hash of a body without it is the one from before there was one. */
export const store = z
  .boolean()
  .optional()
  .describe(
    "false: nothing of the call is kept, neither arguments, result nor events, whatever its tool and tenant say, nor of what its tool calls: once its end is answered and told to its callback, they are erased within about a minute (who does not wait reads the end within half a minute, or has it told). That it ran stays, with its status, error code and usage. An agent's key may not say it.",
  );
