import { z } from "zod";

/** Text without NUL and lone surrogates, which PostgreSQL can't hold; `lengthMax` in UTF-16 units. */
export const text = (lengthMax: number, lengthMin = 0) =>
  z
    .string()
    .min(lengthMin)
    .max(lengthMax)
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .refine((value) => value.isWellFormed(), "must not contain lone surrogates");

/** An object of any JSON: what the edge parsed, with its depth bounded for the whole body. */
export const anyObject = z.record(z.string(), z.any());

/** How many entries one page of a list holds. */
export const pageLimit = z.coerce.number().int().min(1).max(200).default(50);

export const timestamp = z.iso.datetime();
