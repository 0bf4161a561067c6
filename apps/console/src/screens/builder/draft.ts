import { TOOL_COMMAND_SECONDS_DEFAULT } from "@bulkhead/core/tool-command";
import type { CreateToolBody, TestToolBody, Tool, UpdateToolBody } from "@bulkhead/client";

/**
 * A tool while somebody writes it: what its creation would say. Empty texts count as left out. One with a `command`, be it
 * empty, has that in place of code.
 */
export type Draft = CreateToolBody & { code: string };
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
  "command",
  "workingDirectory",
  "timeoutSeconds",
  "env",
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
const REQUIRED = ["name", "description", "parameters"] as const;
/** What means nothing beside a command. */
const OF_CODE: ReadonlySet<DraftField> = new Set<DraftField>([
  "code",
  "language",
  "permissions",
  "allowedHosts",
  "requiredConfigServices",
  "requiredApiKeys",
]);

export const BLANK: Draft = {
  name: "",
  description: "",
  code: "",
  language: "javascript",
  parameters: { type: "object", properties: {} },
  permissions: [],
};

export const BLANK_COMMAND: Draft = { ...BLANK, command: "" };

export const isCommand = ({ command }: Pick<Draft, "command">): boolean => command !== undefined;

/** The text that runs. */
export const runsIn = ({ command, code }: Pick<Draft, "command" | "code">): string => command ?? code;

type Values = Partial<Record<DraftField, unknown>>;

const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === "";

/** The fields of a draft that say something, in their order. */
const said = (values: Values): Values =>
  Object.fromEntries(
    DRAFT_FIELDS.filter((field) => !isLeftOut(values[field])).map((field) => [field, values[field]]),
  );

/** What a creation would have to say to make such a tool. */
export function draftOf(tool: Tool): Draft {
  const draft = { ...BLANK, ...said(tool) } as Draft;
  const { timeoutSeconds, limits } = draft;
  if (timeoutSeconds === undefined) return draft;
  // Its time is told twice; one that is no whole number of seconds is a limit alone.
  if (!Number.isInteger(timeoutSeconds)) return { ...draft, timeoutSeconds: undefined };
  const { wallMs: _wallMs, ...others } = limits ?? {};
  return { ...draft, limits: Object.keys(others).length === 0 ? undefined : others };
}

/** A creation's body that somebody else wrote, such as a template's or a model's: what it lacks is as in a blank one. */
export const draftOfBody = (body: Record<string, unknown>): Draft => ({ ...BLANK, ...said(body) }) as Draft;

/** Of a copy: another name, and a person who made it. The values of its variables are not known here. */
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

/** What a draft says that means something for its kind; a variable that nobody gave a value stays as it is. */
function meant(draft: Draft): Values {
  const values = said(draft);
  if (!isCommand(draft)) return values;
  const kept = Object.entries(values).filter(([field]) => !OF_CODE.has(field as DraftField));
  const env = Object.entries(draft.env ?? {}).map(([name, value]) => [name, value || null] as const);
  return { ...Object.fromEntries(kept), ...(draft.env && { env: Object.fromEntries(env) }) };
}

/** What creates it. */
export const createBody = (draft: Draft): CreateToolBody => ({
  ...(meant(draft) as CreateToolBody),
  ...(Object.fromEntries(REQUIRED.map((field) => [field, draft[field]])) as Pick<
    CreateToolBody,
    (typeof REQUIRED)[number]
  >),
  ...(isCommand(draft) ? { command: draft.command ?? "" } : { code: draft.code }),
  name: draft.name.trim(),
});

/** What makes the tool of before the one of after: nothing that is as it was; null takes away. */
export function updateBody(before: Draft, after: Draft): UpdateToolBody {
  const changed = changedFields(before, after).filter((field) => !FOR_GOOD.includes(field));
  const whole: Values = {
    ...createBody(after),
    ...(!isCommand(after) && { permissions: after.permissions ?? [] }),
  };
  return Object.fromEntries(changed.map((field) => [field, takenAway(field, whole[field])]));
}

/** Fields that are never absent from a tool have an empty value in null's place. */
const EMPTY: Values = {
  requiredConfigServices: [],
  requiredApiKeys: [],
  requiresApproval: false,
  idempotent: false,
  workingDirectory: "",
  timeoutSeconds: TOOL_COMMAND_SECONDS_DEFAULT,
  env: {},
};

const takenAway = (field: DraftField, value: unknown): unknown => value ?? EMPTY[field] ?? null;

/** The name that a draft without one has where it is checked and tried. */
const UNNAMED = "untitled_draft";

/** The draft as a folder, by its name, which an import would make a tool of; what is not written yet is not complained of. */
export function folderOf(draft: Draft): Record<string, Record<string, unknown>> {
  const { code, language, approvalCode, parameters, ...rest } = meant(draft);
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
      ...(!isCommand(draft) && { [language === "typescript" ? "tool.ts" : "tool.js"]: code ?? "" }),
      ...(approvalCode !== undefined && { "approval.js": approvalCode }),
    },
  };
}

/** Answers of the outside that a run gets in its place. */
export type Recorded = NonNullable<TestToolBody["recorded"]>;

/** What runs the draft without storing it; `stored` is the name under which the tool is there. */
export function testBody(
  draft: Draft,
  args: Record<string, unknown>,
  recorded: Recorded | null,
  stored: string | null = null,
): TestToolBody {
  const whole = meant(draft) as Partial<Draft>;
  return {
    // Values that stay as they are belong to the tool of this name.
    name: (isCommand(draft) ? stored : null) ?? (whole.name?.trim() || UNNAMED),
    ...(isCommand(draft) ? { command: whole.command } : { code: draft.code }),
    workingDirectory: whole.workingDirectory,
    timeoutSeconds: whole.timeoutSeconds,
    env: whole.env,
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
