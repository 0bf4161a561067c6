import { AGENT_ID_CHARS_MAX } from "@bulkhead/domain";
import { z } from "zod";

/** Text without NUL and lone surrogates, which PostgreSQL can't hold; `lengthMax` in UTF-16 units. */
export const text = (lengthMax: number, lengthMin = 0) =>
  z
    .string()
    .min(lengthMin)
    .max(lengthMax)
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .refine((value) => value.isWellFormed(), "must not contain lone surrogates");

/** The id of one of the tenant's agents: any text. */
export const agentId = text(AGENT_ID_CHARS_MAX, 1);

/** How a request refers to what there is: by its id or, where such things have names, by its name. */
export const idOrName = text(64, 1);

/** An object of any JSON: what the edge parsed, with its depth bounded for the whole body. */
export const anyObject = z.record(z.string(), z.any());

/** How many entries one page of a list holds. */
export const pageLimit = z.coerce
  .number()
  .int()
  .min(1)
  .max(200)
  .default(50)
  .describe("How many entries the page holds at most.");

/** Where a page begins; `id` is how the entries' ids are written. */
export const pageCursor = (id: RegExp) =>
  z
    .string()
    .regex(id, "must be the nextCursor of the page before")
    .optional()
    .describe("The `nextCursor` of the page before. Left out: the first page.");

/** A field that a change may also take away. */
export const clearable = <T extends z.ZodType>(field: T) =>
  field
    .nullable()
    .optional()
    .describe(`${field.description ?? ""} Null takes it away.`.trim());

export const timestamp = z.iso.datetime();
