/** JSON Schema as the API's document has it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  default?: unknown;
}

/** Words of a schema that change nothing in its type. */
const ABOUT = new Set(["description", "default", "examples", "format", "pattern", "title"]);
const BOUNDS = new Set(["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"]);
const READ = new Set(
  "$ref type const enum anyOf oneOf items properties required propertyNames additionalProperties".split(" "),
);

const COMMENT_COLUMNS = 110;

/**
 * Writes schemas as TypeScript. What is sent (`isSent`) may be undefined where it may be left out; the names of `$ref`s are
 * the types' names. Throws for a keyword that it does not know, since a type that says less would be wrong unnoticed.
 */
export class TypeWriter {
  readonly #isSent: boolean;

  constructor(isSent: boolean) {
    this.#isSent = isSent;
  }

  type(schema: Schema, indent = ""): string {
    for (const word of Object.keys(schema))
      if (!READ.has(word) && !ABOUT.has(word) && !BOUNDS.has(word))
        throw new Error(`No type is written for the keyword ${word}.`);
    if (schema.$ref !== undefined) return nameOf(schema.$ref);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    const parts = schema.anyOf ?? schema.oneOf;
    if (parts) return [...new Set(parts.map((part) => this.type(part, indent)))].join(" | ");
    if (Array.isArray(schema.type))
      return schema.type.map((type) => this.type({ ...schema, type }, indent)).join(" | ");
    switch (schema.type) {
      case "string":
      case "boolean":
      case "null":
      case "number":
        return schema.type;
      case "integer":
        return "number";
      case "array":
        return `${this.#item(schema.items ?? {}, indent)}[]`;
      case "object":
        return this.#object(schema, indent);
      case undefined:
        return "unknown";
      default:
        throw new Error(`No type is written for the type ${schema.type}.`);
    }
  }

  #item(schema: Schema, indent: string): string {
    const type = this.type(schema, indent);
    const isUnion = schema.enum ?? schema.anyOf ?? schema.oneOf ?? Array.isArray(schema.type);
    return isUnion ? `(${type})` : type;
  }

  #object(schema: Schema, indent: string): string {
    const others = schema.additionalProperties;
    if (schema.properties === undefined) {
      const value = typeof others === "object" ? this.type(others, indent) : "unknown";
      const names = schema.propertyNames ? this.type(schema.propertyNames) : "string";
      return names === "string" ? `Record<string, ${value}>` : `Partial<Record<${names}, ${value}>>`;
    }
    const required = new Set(schema.required);
    const inner = `${indent}  `;
    const members = Object.entries(schema.properties).map(([name, property]) => {
      const isOptional = !required.has(name);
      const type = this.type(property, inner);
      const value = isOptional && this.#isSent && type !== "unknown" ? `${type} | undefined` : type;
      return `${comment(property.description, inner)}${inner}${keyOf(name)}${isOptional ? "?" : ""}: ${value};\n`;
    });
    return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${indent}}`;
  }
}

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** The declaration of a schema's type under a name: an interface where it is an object. */
export function declare(name: string, schema: Schema, isSent: boolean): string {
  const type = new TypeWriter(isSent).type(schema);
  const about = comment(schema.description, "");
  return schema.type === "object" && schema.properties
    ? `${about}export interface ${name} ${type}\n`
    : `${about}export type ${name} = ${type};\n`;
}

/** A doc comment, of one line where it fits. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return "";
  const words = text.replaceAll("*/", "* /").split(/\s+/);
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + word.length >= COMMENT_COLUMNS - indent.length) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  if (lines.length === 1) return `${indent}/** ${line} */\n`;
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}\n`).join("")}${indent} */\n`;
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
