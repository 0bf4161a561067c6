import {
  COLLECTION_NAME,
  DATA_OPERATORS,
  DOCUMENT_ID_BYTES_MAX,
  GOALS_COLLECTION,
  TTL_SECONDS_MAX,
  USER_ID_CHARS_MAX,
} from "@bulkhead/core";
import { z } from "zod";
import { agentId, pageLimit, text, timestamp } from "./fields.ts";

/** Whose data is meant. */
const workspace = {
  agentId: agentId
    .optional()
    .describe("The agent whose data is meant; an agent's key is for its own. Left out: the tenant's own."),
  userId: text(USER_ID_CHARS_MAX, 1)
    .optional()
    .describe("The user whose data is meant. Left out: the user of `Bulkhead-User`, or none."),
};

const NAME = COLLECTION_NAME.source.slice(1, -1);
/** A page's key is a field's text and an id, escaped and in Base64. */
const CURSOR_CHARS_MAX = 10_000;
const WHERE_CHARS_MAX = 8_192;
const ORDER_CHARS_MAX = 257;

const collection = z
  .string()
  .regex(new RegExp(`^(${NAME}|\\${GOALS_COLLECTION})$`))
  .describe(
    `Letters, digits, \`_\`, \`.\` and \`-\`, 64 at most, a letter first. \`${GOALS_COLLECTION}\`, where the tool \`goals\` keeps what it knows, can be read by people.`,
  );
const cursor = text(CURSOR_CHARS_MAX)
  .optional()
  .describe("The `nextCursor` of the page before. Left out: the first page.");

export const DataScopeQuery = z.strictObject(workspace);
export const CollectionParams = z.strictObject({ collection });
export const DocumentParams = z.strictObject({
  collection,
  id: text(DOCUMENT_ID_BYTES_MAX, 1).describe("Any text, percent-encoded."),
});

export const CollectionListQuery = z.strictObject({
  ...workspace,
  everywhere: z
    .enum(["true", "false"])
    .default("false")
    .describe("`true`: those of all agents and users; an agent's key gets those of its agent's users."),
  limit: pageLimit,
  cursor,
});

export const DataQuery = z.strictObject({
  ...workspace,
  where: text(WHERE_CHARS_MAX)
    .optional()
    .describe(
      `JSON with conditions that all have to hold, as in \`{"status": "open", "age": {"gte": 3}, "address.city": "Oslo"}\`: fields of the value, and \`$id\`, \`$createdAt\`, \`$updatedAt\`. Operators: \`${DATA_OPERATORS.join("`, `")}\`. Equality, \`in\` and \`contains\` use an index; any other looks at the documents that those leave.`,
    ),
  orderBy: text(ORDER_CHARS_MAX, 1)
    .optional()
    .describe(
      "A field as in `where`, or `-` and a field for the highest first: truth values, numbers, texts, then what has neither. Left out: by id.",
    ),
  limit: pageLimit,
  cursor,
});

const header = (meaning: string) => z.string().max(2_000).optional().describe(meaning);
const match = header(
  'The document\'s version in quotes, `"3"`, or several; `*`: it must be there. Else 412 `data.precondition_failed`.',
);
export const DeleteDocumentHeaders = z.looseObject({ "if-match": match });
export const PutDocumentHeaders = z.looseObject({
  "if-match": match,
  "if-none-match": header("`*` alone: there must be no such document, else 412 `data.precondition_failed`."),
});

export const PutDocument = z.strictObject({
  value: z
    .any()
    .refine((value) => value !== undefined, "is needed")
    .describe("Any JSON: the whole document. The order of an object's names is not kept."),
  ttlSeconds: z
    .int()
    .min(1)
    .max(TTL_SECONDS_MAX)
    .optional()
    .describe("After so many seconds it is gone. Left out: it stays."),
});

export const DataDocument = z
  .object({
    id: z.string(),
    value: z.any(),
    version: z
      .int()
      .describe("Rises with every change, from 1 on. One that is made anew after it went begins at 1."),
    createdAt: timestamp,
    createdBy: z.string().describe("The id of the key, or of the execution."),
    updatedAt: timestamp,
    updatedBy: z.string(),
    expiresAt: timestamp.nullable().describe("From then on it is not there; null: it stays."),
  })
  .meta({ id: "DataDocument" });

export const DataDocumentPage = z.object({
  documents: z.array(DataDocument).describe("At most a MiB of them."),
  nextCursor: z.string().nullable(),
});

export const DataCollectionPage = z.object({
  collections: z
    .array(
      z.object({
        name: z.string(),
        agentId: z.string().nullable(),
        userId: z.string().nullable(),
        documents: z.int().describe("One whose time is over counts until it is swept, within minutes."),
        bytes: z.int().describe("Of its documents as JSON."),
      }),
    )
    .describe("By agent, user and name."),
  usage: z
    .object({ collections: z.int(), documents: z.int(), bytes: z.int() })
    .optional()
    .describe(
      "What all data of the tenant takes of `limits.maxCollections`, `limits.maxDocuments` and `limits.maxAllDocumentBytes`; not for agents.",
    ),
  nextCursor: z.string().nullable(),
});
