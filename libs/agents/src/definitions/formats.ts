import type { DEFINITION_FORMATS } from "@bulkhead/contracts";
import { declareMember, type JsonObject, type ToolHints } from "@bulkhead/core";
import { ANTHROPIC, EVERY_PROVIDER, OPENAI, type StrictDialect } from "./strict-dialects.ts";
import { toStrict } from "./strict-schema.ts";

/** The parts that every format writes of a tool, under its own names. */
export interface Definition {
  /** As models see it. */
  name: string;
  title: string | null;
  /** Null: it says nothing of itself. */
  hints: ToolHints | null;
  description: string;
  parameters: JsonObject;
  outputSchema: JsonObject | null;
  category: string | null;
  requiresConfirmation: boolean;
}

export type DefinitionFormat = "own" | "typescript" | (typeof DEFINITION_FORMATS)[number];

/** Characters of one tool's types; what is deeper than they allow is left open. */
export const TYPES_CHARS_MAX = 8_000;

/** One strict definition's share of the bounds of a provider's request. */
type Cost = Record<keyof StrictDialect["request"], number>;

/** A tool as a format says it, and as it says it strictly, where it can. */
export interface Wording<T> {
  plain: T;
  strict: { words: T; cost: Cost } | null;
}

/** A tool of MCP says by this field of its `_meta` that a person has to allow its calls, or may have to. */
export const CONFIRMATION_META = "bulkhead/requiresConfirmation";

type Writer = (tool: Definition) => JsonObject;
type Write = (tool: Definition, parameters: JsonObject, mark: { strict?: true }) => JsonObject;

/** Writes definition after definition for one request; the first ones are strict while the request's allowance lasts. */
export function definitionWriter(format: DefinitionFormat, strict: boolean): Writer {
  const word = wordingOf(format, strict);
  const choose = chooserOf(format);
  return (tool) => choose(word(tool));
}

/**
 * Writes a tool in a format; the result depends on nothing else, so it may be cached as long as the tool stays the same.
 */
export function wordingOf(
  format: DefinitionFormat,
  strictly: boolean,
): (tool: Definition) => Wording<JsonObject> {
  const { write, dialect } = FORMATS[format];
  return (tool) => {
    const plain = write(tool, format === "own" ? tool.parameters : asObject(tool.parameters), {});
    const strict = strictly && dialect ? toStrict(tool.parameters, dialect) : null;
    if (!strict) return { plain, strict };
    const { schema, optionals, unions } = strict;
    return {
      plain,
      strict: { words: write(tool, schema, { strict: true }), cost: { tools: 1, optionals, unions } },
    };
  };
}

/** Chooses wording after wording for one request: the strict one while the request's allowance lasts. */
export function chooserOf(format: DefinitionFormat): <T>(wording: Wording<T>) => T {
  const left: Cost = { ...(FORMATS[format].dialect ?? ANTHROPIC).request };
  return ({ plain, strict }) => {
    if (strict === null) return plain;
    const { tools, optionals, unions } = strict.cost;
    if (left.tools < tools || left.optionals < optionals || left.unions < unions) return plain;
    left.tools -= tools;
    left.optionals -= optionals;
    left.unions -= unions;
    return strict.words;
  };
}

/** Providers demand a type; arguments are an object whether a schema says so or not. */
const asObject = (parameters: JsonObject): JsonObject =>
  parameters["type"] === undefined ? { type: "object", ...parameters } : parameters;

const writeOwn: Write = ({ name, description, category, requiresConfirmation }, parameters) => ({
  name,
  description,
  parameters,
  ...(category === null ? {} : { category }),
  requiresConfirmation,
});

/** Model Context Protocol, `Tool`; an output schema must be of type `object` there. */
const writeMcp: Write = (
  { name, title, hints, description, outputSchema, requiresConfirmation },
  parameters,
) => ({
  name,
  ...(title === null ? {} : { title }),
  description,
  inputSchema: parameters,
  ...(outputSchema?.["type"] === "object" ? { outputSchema } : {}),
  ...(hints === null ? {} : { annotations: hints as JsonObject }),
  ...(requiresConfirmation ? { _meta: { [CONFIRMATION_META]: true } } : {}),
});

const writeOpenAi: Write = ({ name, description }, parameters, mark) => ({
  type: "function",
  function: { name, description, parameters, ...mark },
});

const writeAnthropic: Write = ({ name, description }, parameters, mark) => ({
  name,
  description,
  input_schema: parameters,
  ...mark,
});

const writeAiSdk: Write = ({ name, description }, parameters, mark) => ({
  type: "function",
  name,
  description,
  inputSchema: parameters,
  ...mark,
});

/** For the file of all tools' types, see `typesFile`. */
const writeTypes: Write = ({ name, description, outputSchema }, parameters) => ({
  member: declareMember({ name, description, parameters, outputSchema }, TYPES_CHARS_MAX),
});

const FORMATS: Readonly<Record<DefinitionFormat, { write: Write; dialect: StrictDialect | null }>> = {
  own: { write: writeOwn, dialect: null },
  typescript: { write: writeTypes, dialect: null },
  mcp: { write: writeMcp, dialect: null },
  openai: { write: writeOpenAi, dialect: OPENAI },
  anthropic: { write: writeAnthropic, dialect: ANTHROPIC },
  "ai-sdk": { write: writeAiSdk, dialect: EVERY_PROVIDER },
};
