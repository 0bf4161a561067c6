import { AUDIT_ACTIONS, AUDIT_ID, ROLES, type AuditAction, type AuditSubject } from "@bulkhead/core";
import { z } from "zod";
import { pageCursor, pageLimit, text, timestamp } from "./fields.ts";

const action = z.enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]);
const subjectType = z.enum([...new Set(Object.values(AUDIT_ACTIONS))] as AuditSubject[]);

export const AuditEntry = z
  .object({
    id: z.string(),
    at: timestamp,
    action,
    actor: z
      .object({
        role: z.enum([...ROLES, "platform"]).describe("`platform`: Bulkhead itself, which has no key."),
        keyId: z.string().optional(),
        agentId: z.string().optional(),
      })
      .describe("Whose key it was."),
    subject: z.object({ type: subjectType, id: z.string(), name: z.string().optional() }),
    beforeHash: z.string().optional().describe("Content hash of the tool before; absent if it was created."),
    afterHash: z.string().optional().describe("Content hash of the tool after; absent if it was deleted."),
    requestId: z.string().optional().describe("`meta.requestId` of the answer to the request that did it."),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
      .describe("Small facts and names of changed fields; never arguments, code or secrets."),
  })
  .meta({ id: "AuditEntry" });

export const AuditEntries = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() });

/** An earlier year is a slip, and PostgreSQL may not know it. */
const YEAR_MIN = 1970;

const moment = timestamp.refine(
  (value) => Number(value.slice(0, 4)) >= YEAR_MIN,
  `must not be before ${YEAR_MIN}`,
);

const ID_LENGTH_MAX = 64;

export const AuditQuery = z
  .strictObject({
    action: action.optional().describe("Only entries with this action."),
    subjectType: subjectType.optional().describe("Only entries about subjects of this kind."),
    subjectId: text(ID_LENGTH_MAX, 1).optional().describe("Only entries about this subject."),
    keyId: text(ID_LENGTH_MAX, 1).optional().describe("Only entries of this key."),
    from: moment.optional().describe("Inclusive."),
    to: moment.optional().describe("Exclusive."),
    limit: pageLimit,
    cursor: pageCursor(AUDIT_ID),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ["to"],
    message: "must not be before from",
  });
