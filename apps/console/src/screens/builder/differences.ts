import { changedFields, type Draft, DRAFT_FIELDS, type DraftField, isSame } from "./draft.ts";

/** What each field of a tool is called. */
export const FIELD_NAMES: Readonly<Record<DraftField, string>> = {
  name: "Name",
  title: "Title",
  description: "Description",
  category: "Category",
  alias: "Name for models",
  language: "Language",
  code: "Code",
  command: "Command",
  workingDirectory: "Folder",
  timeoutSeconds: "Time-out",
  env: "Variables",
  parameters: "Parameters",
  outputSchema: "Output",
  permissions: "Permissions",
  allowedHosts: "Hosts",
  requiredConfigServices: "Services",
  requiredApiKeys: "Required API keys",
  limits: "Limits",
  requiresApproval: "Asks a person",
  approval: "Agents' calls",
  approvalCode: "Approval code",
  annotations: "Hints for models",
  idempotent: "Safe to repeat",
  applyDefaults: "Fills in defaults",
  retry: "Retries",
  dispatch: "Rates",
  retention: "Retention",
  metadata: "Metadata",
  createdBy: "Maker",
  agentId: "Agent",
};

/** One field of two drafts, each as a text. */
export interface Difference {
  field: DraftField;
  before: string;
  after: string;
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Values of variables are never shown, not even those that were just written. */
const withoutValues = (env: Draft["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env ?? {}).map(([name, value]) => [name, value === null ? "(as it is)" : "(a new value)"]),
  );

const shownOf = (draft: Draft, field: DraftField): string =>
  written(field === "env" && draft.env !== undefined ? withoutValues(draft.env) : draft[field]);

/** What is another, field by field; texts as they are, all else as JSON. */
export const differencesOf = (before: Draft, after: Draft): Difference[] =>
  changedFields(before, after).map((field) => ({
    field,
    before: shownOf(before, field),
    after: shownOf(after, field),
  }));

/** The permissions that the later one has and the former has not. */
export const addedPermissions = (before: Draft, after: Draft): string[] =>
  (after.permissions ?? []).filter((permission) => before.permissions?.includes(permission) !== true);

/** Fields that both have changed, each to something else. */
export const clashes = (base: Draft, mine: Draft, theirs: Draft): DraftField[] =>
  changedFields(base, mine).filter((field) => !isSame(base, theirs, field) && !isSame(mine, theirs, field));

/** Mine, with what the others alone have changed as they have it. */
export function merged(base: Draft, mine: Draft, theirs: Draft): Draft {
  const changed = new Set(changedFields(base, mine));
  return Object.fromEntries(
    DRAFT_FIELDS.map((field) => [field, changed.has(field) ? mine[field] : theirs[field]]).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
