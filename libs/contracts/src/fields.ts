import { AGENT_ID_CHARS_MAX, REASON_CHARS_MAX } from "@bulkhead/core";
import { z } from "zod";

/** Text without NUL and lone surrogates, which PostgreSQL can't hold; `lengthMax` in UTF-16 units. */
export const text = (lengthMax: number, lengthMin = 0) =>
  z
    .string()
    .min(lengthMin)
    .max(lengthMax)
    .refine((value) => !value.includes("\0"), "must not contain a NUL character")
    .refine((value) => value.isWellFormed(), "must not contain lone surrogates");

const WEB_URL = { error: "must be a whole URL with http or https", abort: true };

/** A link that people click, so only http and https: a browser would run `javascript:`. */
export const webUrl = (lengthMax: number) =>
  text(lengthMax)
    // The pattern has no flags, since the reference could not show them.
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//, WEB_URL)
    .refine((value) => URL.canParse(value), WEB_URL);

/** The id of one of the tenant's agents: any text. */
export const agentId = text(AGENT_ID_CHARS_MAX, 1);

/** The person on whose behalf somebody asks, by the tenant's own id of them. */
export const userId = text(256, 1).describe(
  "As `context.userId` of a call: what MCP servers' grants say of this user counts too.",
);

/** A reference in a request: by id or, if such things have names, by name; a tool has aliases too. */
export const idOrName = text(64, 1);

/** The type that zod infers for a record of anything. */
type AnyObject = z.output<z.ZodRecord<z.ZodString, z.ZodAny>>;

/**
 * An object of any JSON: the edge has parsed it and bounded the depth of the whole body. It is passed on as it is, since
 * zod copies a record name by name, which takes five times as long as parsing it.
 */
export const anyObject: z.ZodType<AnyObject, AnyObject> = z
  .any()
  .superRefine((value: unknown, context) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      context.addIssue({ code: "invalid_type", expected: "object", input: value, continue: false });
  })
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} });

/** A name for people: any text that shows something. */
export const displayedName = (lengthMax: number) => text(lengthMax, 1).regex(/\S/, "must not be blank");

/** All control characters but those that break and indent lines. */
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

/** A person's reason for a decision, without the white space around it. */
export const reason = z
  .string()
  .trim()
  .min(1)
  .max(REASON_CHARS_MAX)
  .refine((value) => !CONTROLS.test(value), "must not contain control characters")
  .refine((value) => value.isWellFormed(), "must not contain lone surrogates");

const DECIMAL = /^(0|[1-9]\d*)$/;
const NO_WHOLE_NUMBER = "must be a whole number in decimal digits, without zeros in front";

/**
 * A number in a path or a query, where everything is text: decimal digits alone, so that each number is written in one way.
 * `Number` would take `0x10`, `1e1`, `+1` and a blank too.
 */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && DECIMAL.test(value) ? Number(value) : value),
    z
      .int({ error: ({ code }) => (code === "invalid_type" ? NO_WHOLE_NUMBER : undefined) })
      .min(min)
      .max(max),
  );

/** Several words in one field, with commas between them, or one a field; `refusal` says why another word is none. */
export const severalOf = <Words extends readonly [string, ...string[]]>(
  words: Words,
  refusal?: (said: string) => string,
) =>
  z.preprocess(
    (said) => {
      if (said === undefined) return said;
      return [...new Set([said].flat().flatMap((one) => (typeof one === "string" ? one.split(",") : [one])))];
    },
    z
      .array(z.enum(words, refusal && { error: ({ input }) => refusal(String(input)) }))
      .min(1)
      .max(words.length)
      .optional(),
  );

/** How many entries one page of a list holds. */
export const pageLimit = wholeNumber(1, 200).default(50).describe("How many entries the page holds at most.");

export const NO_CURSOR = "must be the nextCursor of the page before";

/** The start of a page; `id` is the form of the entries' ids. */
export const pageCursor = (id: RegExp) =>
  z
    .string()
    .regex(id, { error: NO_CURSOR, abort: true })
    .optional()
    .describe("The `nextCursor` of the page before. Left out: the first page.");

/** A field that a change may also take away. */
export const clearable = <T extends z.ZodType>(field: T) =>
  field
    .nullable()
    .optional()
    .describe(`${field.description ?? ""} Null takes it away.`.trim());

export const timestamp = z.iso.datetime();

const EPOCH = "1970-01-01T00:00:00Z";
/** A moment from which an id can be made; what is no moment has a fault of its own. */
export const moment = timestamp.refine(
  (at) => !(Date.parse(at) < Date.parse(EPOCH)),
  `must not be before ${EPOCH}`,
);
