import type { ErasureStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { claimErasures } from "./claim-erasures.ts";
import { deleteExecution, eraseParts } from "./erase-parts.ts";

/** The erasing of what executions hold, in PostgreSQL. What it throws is a Fault. `byId` is for statements that name their rows by id. */
export const openErasureStore = (byId: PrismaClient): ErasureStore => ({
  claimDue: (round) => faulting(() => claimErasures(byId, round)),
  erase: (parts) => faulting(() => eraseParts(byId, parts)),
  deleteExecution: (key) => faulting(() => deleteExecution(byId, key)),
});
