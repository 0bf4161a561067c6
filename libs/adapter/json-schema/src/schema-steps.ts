import type { Json, JsonObject } from "@bulkhead/domain";
import type { Dialect } from "./dialect.ts";
import { ARRAYS_OF_SCHEMAS, MAPS_OF_SCHEMAS, REFUSE_NULL, SCHEMAS } from "./vocabulary.ts";

/** Its items are listed one by one, as drafts before 2020-12 do. */
export const isTuple = (schema: JsonObject): boolean =>
  Array.isArray(schema["items"]) && schema["prefixItems"] === undefined;

/** What refuses null stands within an `anyOf` of the schema that is read, behind null. */
export const isWrapped = (schema: JsonObject): boolean =>
  schema["nullable"] === true &&
  Object.keys(schema).some((keyword) => REFUSE_NULL.has(keyword) && keyword !== "anyOf");

/** A reference into the schema as it was written, as one into the schema as it is read. */
export function toReadPointer(ref: string, root: JsonObject, dialect: Dialect): string {
  if (!ref.startsWith("#/")) return ref;
  const steps = ref.slice(2).split("/");
  const walk = new Walk(root);
  const read = steps.flatMap((step) => {
    const { schema } = walk;
    walk.down(unescape(step));
    if (schema === undefined) return [step];
    if (isWrapped(schema) && REFUSE_NULL.has(step)) return ["anyOf", "1", step];
    return dialect === "2020-12" && isTuple(schema) ? [PREFIX_NAMES[step] ?? step] : [step];
  });
  return `#/${read.join("/")}`;
}

/** Steps into the schema as it is read, as those into the one that was written: there a fault is to be mended. */
export function toWrittenSteps(read: readonly string[], root: JsonObject, dialect: Dialect): string[] {
  const walk = new Walk(root);
  const written: string[] = [];
  for (let at = 0; at < read.length; at += 1) {
    const { schema } = walk;
    let step = read[at] ?? "";
    if (schema && isWrapped(schema) && step === "anyOf") {
      at += 1;
      continue;
    }
    if (schema && dialect === "2020-12" && isTuple(schema)) step = WRITTEN_NAMES[step] ?? step;
    walk.down(step);
    written.push(step);
  }
  return written;
}

const PREFIX_NAMES: Readonly<Record<string, string>> = { items: "prefixItems", additionalItems: "items" };
const WRITTEN_NAMES: Readonly<Record<string, string>> = { prefixItems: "items", items: "additionalItems" };

/** What a pointer in a schema leads to, if anything. */
export function resolvePointer(ref: string, root: JsonObject): Json | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((at, step) => childOf(at, unescape(step)), root);
}

/** Goes down a schema and knows what is a schema there, and what only holds some. */
class Walk {
  #at: Json | undefined;
  #kind: "schema" | "holder" | "data" = "schema";

  constructor(root: JsonObject) {
    this.#at = root;
  }

  /** Where it stands, if that is a schema. */
  get schema(): JsonObject | undefined {
    return this.#kind === "schema" && isObject(this.#at) ? this.#at : undefined;
  }

  down(step: string): void {
    const below = childOf(this.#at, step);
    if (this.#kind === "holder") this.#kind = "schema";
    else if (this.#kind === "schema") {
      const holds =
        (MAPS_OF_SCHEMAS.has(step) && isObject(below)) ||
        (ARRAYS_OF_SCHEMAS.has(step) && Array.isArray(below));
      this.#kind = holds ? "holder" : SCHEMAS.has(step) ? "schema" : "data";
    }
    this.#at = below;
  }
}

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** What is no escape stands for itself; a reference with such was refused. */
function unescape(step: string): string {
  return decodeStep(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
