import { COLLECTION_NAME, DATA_SHARED_MAX, DATA_SHARED_WITH } from "@bulkhead/core";
import { z } from "zod";

export const DataSettings = z
  .strictObject({
    shared: z
      .record(z.string().regex(COLLECTION_NAME), z.enum(DATA_SHARED_WITH))
      .refine(
        (shared) => Object.keys(shared).length <= DATA_SHARED_MAX,
        `at most ${DATA_SHARED_MAX} collections`,
      )
      .default({})
      .describe(
        "Collections that are not their caller's own, by name: `agent`, one for all users of an agent; `tenant`, one for all. What lies in others of the name stays there.",
      ),
  })
  .describe("Which collections of custom data agents and users share.");
