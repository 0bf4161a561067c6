import { toJSONSchema } from "zod/v4/core";
import { zodToJsonSchema } from "zod-to-json-schema";

// This runs inside of the process that evaluates a module, in the module's own context. What it says of the module is text,
// which nobody outside believes: it is checked like any other input.

/** What a described tool may say beside its schemas and its function: the fields of a manifest. */
const SETTINGS = [
  "name",
  "alias",
  "title",
  "description",
  "annotations",
  "category",
  "permissions",
  "limits",
  "allowedHosts",
  "idempotent",
  "applyDefaults",
  "retry",
  "dispatch",
  "retention",
  "metadata",
  "requiredApiKeys",
  "requiredConfigServices",
];

/** What the AI SDK calls or reads around a tool's function, and a tool here has no place for. */
const UNUSED = ["toModelOutput", "onInputStart", "onInputDelta", "onInputAvailable", "contextSchema"];

type Fields = Record<string, unknown>;

/** Each export, and each tool in an export that is a list or a record of tools; as JSON. */
export function describe(module: Fields): string {
  const found = Object.keys(module).flatMap((name) => describeExport(module, name));
  return JSON.stringify({ exports: found });
}

export function describeThrown(error: unknown): string {
  const { message, stack } =
    typeof error === "object" && error !== null ? (error as { message?: unknown; stack?: unknown }) : {};
  return JSON.stringify({
    thrown: {
      message: typeof message === "string" ? message : `it threw ${JSON.stringify(error) ?? typeof error}`,
      stack: typeof stack === "string" ? stack : null,
    },
  });
}

function describeExport(module: Fields, name: string): object[] {
  const value = module[name];
  if (typeof value === "function" && !isSchema(value)) {
    const schema = module[`${name}Schema`];
    return [{ export: name, kind: "function", ...(schema === undefined ? {} : parametersOf(schema)) }];
  }
  if (isSchema(value)) return [{ export: name, kind: "schema" }];
  const own = toolKind(value);
  if (own !== null) return [describeTool(value as Fields, own, name)];
  const [members, isList] = Array.isArray(value) ? [Object.entries(value), true] : [entriesOf(value), false];
  if (members.length === 0 || !members.some(([, one]) => toolKind(one) !== null))
    return [{ export: name, kind: "other", type: Array.isArray(value) ? "list" : typeof value }];
  return members.map(([key, one]) => {
    const kind = toolKind(one);
    const member = isList ? Number(key) : key;
    return kind === null
      ? { export: name, member, kind: "other", type: typeof one }
      : describeTool(one as Fields, kind, name, member);
  });
}

function describeTool(tool: Fields, kind: "execute" | "run", name: string, member?: string | number): object {
  const schema = tool["inputSchema"] ?? tool["parameters"];
  const { outputSchema, id, needsApproval } = tool;
  const unused = UNUSED.filter((field) => tool[field] !== undefined);
  return {
    export: name,
    ...(member === undefined ? {} : { member }),
    kind,
    ...(typeof id === "string" ? { id } : {}),
    ...(kind === "execute" && unused.length > 0 ? { unused } : {}),
    settings: Object.fromEntries(
      SETTINGS.flatMap((field) => (tool[field] === undefined ? [] : [[field, tool[field]]])),
    ),
    ...(needsApproval === undefined
      ? {}
      : { needsApproval: typeof needsApproval === "function" ? "function" : needsApproval }),
    ...(schema === undefined ? {} : parametersOf(schema)),
    ...(outputSchema === undefined ? {} : resultOf(converted(outputSchema, "output"))),
  };
}

const parametersOf = (schema: unknown): object => converted(schema, "input");

/** What a result is parsed to is nobody's business but the caller's; a schema that can't be told is. */
const resultOf = ({ schema, schemaFault }: Converted): object =>
  schemaFault === undefined ? { outputSchema: schema } : { schemaFault: `its outputSchema ${schemaFault}` };

/** How an object is called, if it is a tool. */
function toolKind(value: unknown): "execute" | "run" | null {
  if (typeof value !== "object" || value === null) return null;
  const { execute, run } = value as Fields;
  if (typeof execute === "function") return "execute";
  return typeof run === "function" ? "run" : null;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** A JSON Schema, or why there is none; what it can't say is named. */
interface Converted {
  schema?: unknown;
  schemaFault?: string;
  /** Kinds of checks and changes that are only in the developer's schema. */
  lost?: string[];
}

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("_zod" in value || "_def" in value || "~standard" in value);

function converted(schema: unknown, io: "input" | "output"): Converted {
  try {
    return convert(schema, io);
  } catch (error) {
    return { schemaFault: error instanceof Error ? error.message : String(error) };
  }
}

function convert(given: unknown, io: "input" | "output"): Converted {
  // The AI SDK takes a function that makes the schema.
  const schema: unknown = typeof given === "function" && !("~standard" in given) ? given() : given;
  if (typeof schema === "function") return convertStandard(schema, io);
  if (typeof schema !== "object" || schema === null)
    return { schemaFault: `must be a schema, and is ${schema === null ? "null" : typeof schema}` };
  const lost = new Set<string>();
  if ("_zod" in schema) {
    const json = toJSONSchema(schema as never, {
      io,
      override: ({ zodSchema }) => noteLost({ ...zodSchema._zod.def }, lost),
    });
    return { schema: json, lost: [...lost] };
  }
  if ("_def" in schema) {
    const json = zodToJsonSchema(schema as never, {
      target: "jsonSchema2019-09",
      $refStrategy: "root",
      pipeStrategy: io,
      effectStrategy: "input",
      postProcess: (told, def) => {
        noteLostOfThree(def as unknown as Fields, lost);
        return told;
      },
    });
    return { schema: json, lost: [...lost] };
  }
  return convertStandard(schema, io);
}

function convertStandard(schema: object, io: "input" | "output"): Converted {
  const standard = (schema as { "~standard"?: { jsonSchema?: Record<string, unknown> } })["~standard"];
  const tell = standard?.jsonSchema?.[io];
  if (typeof tell === "function") return { schema: tell({ target: "draft-2020-12" }) };
  if (standard) return { schemaFault: "is a schema of a library that gives no JSON Schema of it" };
  // The AI SDK's jsonSchema() has it in a field.
  return { schema: (schema as Fields)["jsonSchema"] ?? schema };
}

/** zod 4: the checks and changes of one schema within the whole. */
function noteLost(def: Fields, lost: Set<string>): void {
  if (def["type"] === "transform" || def["type"] === "pipe") lost.add("transform");
  const checks = Array.isArray(def["checks"]) ? def["checks"] : [];
  for (const check of checks) {
    const inner = (check as { _zod?: { def?: Fields } })._zod?.def;
    if (inner?.["check"] === "custom" || inner?.["check"] === "overwrite") lost.add("refine");
  }
}

/** zod 3, likewise. */
function noteLostOfThree(def: Fields, lost: Set<string>): void {
  if (def["typeName"] === "ZodPipeline") lost.add("transform");
  if (def["typeName"] !== "ZodEffects") return;
  const effect = def["effect"] as { type?: unknown } | undefined;
  lost.add(effect?.type === "refinement" ? "refine" : "transform");
}
