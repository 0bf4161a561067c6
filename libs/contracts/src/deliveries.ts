import { CALLBACK_URL_CHARS_MAX, DELIVERY_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { text, timestamp } from "./fields.ts";

const SIGNING_SECRET_CHARS_MAX = 128;

/** A caller's request to be sent the end; the use case checks the rules that a schema can't express. */
export const Callback = z
  .strictObject({
    url: text(CALLBACK_URL_CHARS_MAX).describe("https; the end is posted to it, signed."),
    secret: text(SIGNING_SECRET_CHARS_MAX)
      .optional()
      .describe("`whsec_` and 24 to 64 bytes in base64; without it the tenant's own secret signs."),
  })
  .describe("The URL that gets the end of the execution, by the rules of Standard Webhooks.");

const DeliveryAttempt = z.object({
  at: timestamp,
  status: z.int().optional().describe("The answer's status; absent if there was none."),
  error: z.string().optional().describe("Why there was none."),
  location: z
    .string()
    .optional()
    .describe("The target of a redirect, which is not followed: give the call that URL as its callback."),
  ms: z.int().optional(),
});

export const Delivery = z
  .object({
    n: z.int().min(1),
    url: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(DeliveryAttempt).describe("Oldest first; the last twenty."),
    nextAttemptAt: timestamp.optional(),
  })
  .meta({ id: "Delivery" });

export const DeliveryList = z.object({ deliveries: z.array(Delivery), nextCursor: z.null() });

export const WebhookSecret = z
  .object({
    secret: z.string().describe("Signs where a caller gave no secret: `whsec_` and base64."),
    generation: z.int().min(1),
    retiring: z
      .array(z.object({ generation: z.int().min(1), signsUntil: timestamp }))
      .describe("Replaced secrets that sign too, the latest first."),
  })
  .meta({ id: "WebhookSecret" });
