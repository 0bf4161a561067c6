import type { CreateToolBody, TestToolBody, Tool, UpdateToolBody } from "@bulkhead/client";

/** What is said of a tool with a command, which is written elsewhere. */
type OfCommand = "command" | "workingDirectory" | "timeoutSeconds" | "env";

/** A tool of code while somebody writes it: what its creation would say. Empty texts count as left out. */
export type Draft = Omit<CreateToolBody, OfCommand> & { code: string };
export type DraftField = keyof Draft;

/** All of it, in the order in which it is told; those that are for good once the tool is there stand last. */
export const DRAFT_FIELDS = [
  "name",
  "title",
  "description",
  "category",
  "alias",
  "language",
  "code",
  "parameters",
  "outputSchema",
  "permissions",
  "allowedHosts",
  "requiredConfigServices",
  "requiredApiKeys",
  "limits",
  "requiresApproval",
  "approval",
  "approvalCode",
  "annotations",
  "idempotent",
  "applyDefaults",
  "retry",
  "dispatch",
  "retention",
  "metadata",
  "createdBy",
  "agentId",
] as const satisfies readonly DraftField[];

const FOR_GOOD: readonly DraftField[] = ["createdBy", "agentId"];
const REQUIRED = ["name", "description", "code", "parameters"] as const;

export const BLANK: Draft = {
  name: "",
  description: "",
  code: "",
  language: "javascript",
  parameters: { type: "object", properties: {} },
  permissions: [],
};

type Values = Partial<Record<DraftField, unknown>>;

const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === "";

/** The fields of a draft that say something, in their order. */
const said = (values: Values): Values =>
  Object.fromEntries(
    DRAFT_FIELDS.filter((field) => !isLeftOut(values[field])).map((field) => [field, values[field]]),
  );

/** What a creation would have to say to make such a tool. */
export const draftOf = (tool: Tool): Draft => ({ ...BLANK, ...said(tool) }) as Draft;

/** A creation's body that somebody else wrote, such as a template's or a model's: what it lacks is as in a blank one. */
export const draftOfBody = (body: Record<string, unknown>): Draft => ({ ...BLANK, ...said(body) }) as Draft;

/** Of a copy: another name, and a person who made it. */
export const copyOf = (tool: Tool): Draft => ({
  ...draftOf(tool),
  name: `${tool.name.slice(0, 59)}_copy`,
  alias: undefined,
  createdBy: undefined,
});

const textOf = (value: unknown): string => JSON.stringify(value) ?? "";

/** Some limits of a tool may be told that are its defaults anyway. */
export const isSame = (one: Draft, other: Draft, field: DraftField): boolean =>
  one[field] === other[field] ||
  (isLeftOut(one[field]) ? isLeftOut(other[field]) : textOf(one[field]) === textOf(other[field]));

export const changedFields = (before: Draft, after: Draft): DraftField[] =>
  DRAFT_FIELDS.filter((field) => !isSame(before, after, field));

/** What creates it. */
export const createBody = (draft: Draft): CreateToolBody => ({
  ...(said(draft) as CreateToolBody),
  ...(Object.fromEntries(REQUIRED.map((field) => [field, draft[field]])) as Pick<
    CreateToolBody,
    (typeof REQUIRED)[number]
  >),
  name: draft.name.trim(),
});

/** What makes the tool of before the one of after: nothing that is as it was; null takes away. */
export function updateBody(before: Draft, after: Draft): UpdateToolBody {
  const changed = changedFields(before, after).filter((field) => !FOR_GOOD.includes(field));
  const whole: Values = { ...createBody(after), permissions: after.permissions ?? [] };
  return Object.fromEntries(changed.map((field) => [field, takenAway(field, whole[field])]));
}

/** Fields that are never absent from a tool have an empty value in null's place. */
const EMPTY: Values = {
  requiredConfigServices: [],
  requiredApiKeys: [],
  requiresApproval: false,
  idempotent: false,
};

const takenAway = (field: DraftField, value: unknown): unknown => value ?? EMPTY[field] ?? null;

/** The name that a draft without one has where it is checked and tried. */
const UNNAMED = "untitled_draft";

/** The draft as a folder, by its name, which an import would make a tool of; what is not written yet is not complained of. */
export function folderOf(draft: Draft): Record<string, Record<string, unknown>> {
  const { code, language, approvalCode, parameters, ...rest } = said(draft);
  const name = draft.name.trim() || UNNAMED;
  const manifest = {
    ...rest,
    name,
    description: draft.description.trim() === "" ? "(none yet)" : draft.description,
    parameters: parameters ?? BLANK.parameters,
  };
  return {
    [name]: {
      "manifest.json": manifest,
      [language === "typescript" ? "tool.ts" : "tool.js"]: code ?? "",
      ...(approvalCode !== undefined && { "approval.js": approvalCode }),
    },
  };
}

/** Answers of the outside that a run gets in its place. */
export type Recorded = NonNullable<TestToolBody["recorded"]>;

/** What runs the draft without storing it. */
export function testBody(
  draft: Draft,
  args: Record<string, unknown>,
  recorded: Recorded | null,
): TestToolBody {
  const whole = said(draft) as Draft;
  return {
    name: whole.name?.trim() || UNNAMED,
    code: draft.code,
    parameters: draft.parameters,
    language: whole.language,
    outputSchema: whole.outputSchema,
    permissions: whole.permissions,
    limits: whole.limits,
    allowedHosts: whole.allowedHosts,
    requiredApiKeys: whole.requiredApiKeys,
    requiredConfigServices: whole.requiredConfigServices,
    applyDefaults: whole.applyDefaults,
    agentId: whole.agentId,
    testArguments: args,
    ...(recorded !== null && { recorded }),
  };
}
