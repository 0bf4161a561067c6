import type { Json, JsonObject } from "../json/json.ts";
import { SchemaReferences } from "./schema-references.ts";

/** The depth to which types are written; deeper ones are `unknown`. */
const DEPTH_MAX = 6;
/** Parts of a schema that are read, references followed; further ones are `unknown`. */
const NODES_MAX = 400;
/** Values of an enum that are written. */
const ENUM_VALUES_MAX = 30;
const COMMENT_CHARS_MAX = 200;

export interface Declared {
  name: string;
  description: string;
  parameters: JsonObject;
  outputSchema: JsonObject | null;
}

type Schemas = Pick<Declared, "parameters" | "outputSchema">;

/** The tool as a TypeScript function, for models to read: simpler than its schema, never stricter, bounded in size. */
export const declareTool = ({ name, description, ...schemas }: Declared, charsMax: number): string =>
  written(
    schemas,
    { charsMax, indent: 0 },
    (args, result) =>
      `${comment(description, "")}declare function ${name}(args: ${args}): Promise<${result}>;`,
  );

/** The tool as a member of the interface of all tools, for those who call it from TypeScript. */
export const declareMember = ({ name, description, ...schemas }: Declared, charsMax: number): string =>
  written(
    schemas,
    { charsMax, indent: 2 },
    (args, result) =>
      `${comment(description, "  ")}  ${keyOf(name)}: {\n    arguments: ${anyOf(args)};\n    result: ${result};\n  };`,
  );

/** The type of a tool's arguments, for its own code: where the schema names none, each may be anything. */
export const declareArguments = (parameters: JsonObject, charsMax: number): string =>
  written({ parameters, outputSchema: null }, { charsMax, indent: 0 }, (args) =>
    anyOf(args) === "Record<string, unknown>" ? OPEN_ARGUMENTS : args,
  );

const OPEN_ARGUMENTS = "Record<string, any>";

/** The globals by which a tool's code has its arguments; `type` is what is known of them. */
export const argumentGlobals = (type = OPEN_ARGUMENTS): string => `
type ToolArguments = ${type};
/** The call's arguments. */
declare const args: ToolArguments;
/** The same as \`args\`. */
declare const input: ToolArguments;
`;

/** Arguments are an object whatever their schema leaves open. */
const anyOf = (args: string): string => (args === "unknown" ? "Record<string, unknown>" : args);

/** The words of `tell` about both types, as deep as `charsMax` characters allow. */
function written(
  { parameters, outputSchema }: Schemas,
  { charsMax, indent }: { charsMax: number; indent: number },
  tell: (args: string, result: string) => string,
): string {
  const ofArguments = new SchemaReferences(parameters);
  const ofResult = outputSchema === null ? null : new SchemaReferences(outputSchema);
  for (let depthMax = DEPTH_MAX; depthMax > 0; depthMax -= 1) {
    const args = new TypeWriter(ofArguments, depthMax, indent).type(parameters, 0);
    const result =
      ofResult === null
        ? "unknown"
        : new TypeWriter(ofResult, depthMax, indent).type(ofResult.root.schema, 0);
    const text = tell(args, result);
    if (text.length <= charsMax) return text;
  }
  return tell("Record<string, unknown>", "unknown");
}

class TypeWriter {
  readonly #references: SchemaReferences;
  readonly #depthMax: number;
  /** The steps by which the lines of the outermost type are indented. */
  readonly #indent: number;
  #nodes = 0;

  constructor(references: SchemaReferences, depthMax: number, indent: number) {
    this.#references = references;
    this.#depthMax = depthMax;
    this.#indent = indent;
  }

  type(schema: Json | undefined, depth: number): string {
    this.#nodes += 1;
    if (!isObject(schema) || depth >= this.#depthMax || this.#nodes > NODES_MAX) return "unknown";
    // `nullable` is OpenAPI 3.0's.
    return schema["nullable"] === true ? orNull(this.#typeOf(schema, depth)) : this.#typeOf(schema, depth);
  }

  #typeOf(schema: JsonObject, depth: number): string {
    if (this.#references.referencesOf(schema).length > 0)
      return this.type(this.#references.followed(schema)[0], depth + 1);
    if (schema["const"] !== undefined) return literal(schema["const"]);
    if (Array.isArray(schema["enum"])) return literals(schema["enum"]);
    for (const [keyword, operator] of [
      ["anyOf", " | "],
      ["oneOf", " | "],
      ["allOf", " & "],
    ] as const) {
      const parts = schema[keyword];
      if (Array.isArray(parts) && parts.length > 0)
        return `(${[...new Set(parts.map((part) => this.type(part, depth + 1)))].join(operator)})`;
    }
    const { type } = schema;
    if (Array.isArray(type))
      return type.map((one) => this.#named(one, schema, depth)).join(" | ") || "unknown";
    return this.#named(type ?? (isObject(schema["properties"]) ? "object" : null), schema, depth);
  }

  #named(type: Json, schema: JsonObject, depth: number): string {
    switch (type) {
      case "string":
      case "boolean":
      case "number":
      case "null":
        return type;
      case "integer":
        return "number";
      case "array":
        return `Array<${this.type(schema["items"] ?? null, depth + 1)}>`;
      case "object":
        return this.#object(schema, depth);
      default:
        return "unknown";
    }
  }

  #object(schema: JsonObject, depth: number): string {
    const properties = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
    const others = schema["additionalProperties"];
    if (properties.length === 0)
      return others === false
        ? "{}"
        : `Record<string, ${isObject(others) ? this.type(others, depth + 1) : "unknown"}>`;
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    const outer = "  ".repeat(this.#indent + depth);
    const indent = `${outer}  `;
    const lines = properties.map(([name, property]) => {
      const about =
        isObject(property) && typeof property["description"] === "string" ? property["description"] : "";
      const optional = required.includes(name) ? "" : "?";
      return `${about && comment(about, indent)}${indent}${keyOf(name)}${optional}: ${this.type(property, depth + 1)};`;
    });
    return `{\n${lines.join("\n")}\n${outer}}`;
  }
}

/** A property's name as it is written in a type. */
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const orNull = (type: string): string => (/(?:^|\| )null$/.test(type) ? type : `${type} | null`);

const literal = (value: Json): string =>
  typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);

function literals(values: Json[]): string {
  const told = [...new Set(values.slice(0, ENUM_VALUES_MAX).map(literal))];
  if (values.length <= ENUM_VALUES_MAX) return told.join(" | ") || "never";
  const kinds = [...new Set(values.map(kindOf))].join(" | ");
  return `${kinds} /* one of ${values.length}, as in ${told.slice(0, 3).join(", ").replaceAll("*/", "* /")} */`;
}

const kindOf = (value: Json): string =>
  value === null ? "null" : typeof value === "object" ? "unknown" : typeof value;

/** A comment of one line, which no text inside can end early, or make an order to the compiler (`@ts-expect-error`). */
function comment(text: string, indent: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("*/", "* /").replaceAll("@ts-", "@ ts-").trim();
  const cut = line.length > COMMENT_CHARS_MAX ? `${line.slice(0, COMMENT_CHARS_MAX).toWellFormed()}…` : line;
  return cut === "" ? "" : `${indent}/** ${cut} */\n`;
}
