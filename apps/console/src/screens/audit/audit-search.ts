import type { AuditEntry } from "@bulkhead/client";
import type { AuditFilters } from "../../data/audit.ts";
import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface AuditSearch {
  about?: AuditEntry["subject"]["type"];
  id?: string;
  key?: string;
  since?: Since;
  /** The entry that is open. */
  entry?: string;
}

/** The kinds of things that entries are about, and their names for people. */
export const SUBJECTS: Readonly<Record<AuditEntry["subject"]["type"], string>> = {
  tool: "Tools",
  approval: "Approvals",
  standing_approval: "Standing approvals",
  execution: "Executions",
  schedule: "Schedules",
  config_service: "Services",
  config_entry: "Secrets",
  mcp_server: "MCP servers",
  mcp_access_request: "Requests for access",
  policy: "Policy",
  api_key: "Keys",
  access_token: "Access tokens",
  file: "Files",
  data: "Data",
  device: "Devices",
  device_pairing_code: "Pairing codes",
  scrub_rule: "Scrub rules",
  webhook_secret: "Webhook secret",
  tenant: "Tenant",
};
const SUBJECT_TYPES = Object.keys(SUBJECTS) as AuditEntry["subject"]["type"][];

const HOUR_MS = 3_600_000;
/** How far back one looks. */
const SINCE = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;
type Since = keyof typeof SINCE;
export const SINCE_NAMES = Object.keys(SINCE) as Since[];
const ID_CHARS_MAX = 200;

export const readAuditSearch = (raw: Record<string, unknown>): AuditSearch =>
  chosen<AuditSearch>({
    about: oneOf(SUBJECT_TYPES, raw["about"]),
    id: wordsIn(raw["id"], ID_CHARS_MAX),
    key: wordsIn(raw["key"], ID_CHARS_MAX),
    since: oneOf(SINCE_NAMES, raw["since"]),
    entry: wordsIn(raw["entry"], ID_CHARS_MAX),
  });

/** A time by the minute, so that one look and the next ask the same. */
export function filtersOf({ about, id, key, since }: AuditSearch, now: Date): AuditFilters {
  const minute = Math.floor(now.getTime() / 60_000) * 60_000;
  return chosen<AuditFilters>({
    action: undefined,
    to: undefined,
    subjectType: about,
    subjectId: id,
    keyId: key,
    from: since && new Date(minute - SINCE[since]).toISOString(),
  });
}

/** `tool.version_approved` as people say it: "Tool: version approved". */
export function actionWords(action: string): string {
  const [noun = "", verb = ""] = action.replaceAll("_", " ").split(".");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${verb}`.replace(/^(Api|Mcp)/, (word) =>
    word.toUpperCase(),
  );
}

const HEAD = [
  "at",
  "action",
  "role",
  "key",
  "agent",
  "subject type",
  "subject id",
  "subject name",
  "request",
  "details",
];

/** The rows of a file, the names of the columns first. */
export const auditRows = (entries: readonly AuditEntry[]): string[][] => [
  HEAD,
  ...entries.map(({ at, action, actor, subject, requestId = "", details }) => [
    at,
    action,
    actor.role,
    actor.keyId ?? "",
    actor.agentId ?? "",
    subject.type,
    subject.id,
    subject.name ?? "",
    requestId,
    JSON.stringify(details),
  ]),
];
