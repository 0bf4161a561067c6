import {
  MCP_DESCRIPTION_CHARS_MAX,
  MCP_SERVER_TOOLS_MAX,
  TOOL_HINTS,
  TOOL_TITLE_CHARS_MAX,
  type JsonObject,
  type McpOffer,
  type ToolHints,
} from "@bulkhead/core";
import {
  LIST_BYTES_MAX,
  OFFER_NAME_CHARS_MAX,
  OFFER_SCHEMA_BYTES_MAX,
  OFFER_SCHEMA_DEPTH_MAX,
  OFFER_SCHEMA_VALUES_MAX,
} from "./bounds.ts";
import { cut } from "./bridge-error.ts";
import { weighJson, type JsonBounds } from "./weigh-json.ts";

const NAME = new RegExp(`^[^\\p{C}]{1,${OFFER_NAME_CHARS_MAX}}$`, "u");
/** Escapes in JSON of a zero character and of half a character, which no database takes. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/i;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const SCHEMA_BOUNDS: JsonBounds = {
  bytes: OFFER_SCHEMA_BYTES_MAX,
  values: OFFER_SCHEMA_VALUES_MAX,
  levels: OFFER_SCHEMA_DEPTH_MAX,
};
const BEYOND: Record<keyof JsonBounds, string> = {
  bytes: `is larger than ${OFFER_SCHEMA_BYTES_MAX} bytes`,
  values: `has more than ${OFFER_SCHEMA_VALUES_MAX} values`,
  levels: `is nested deeper than ${OFFER_SCHEMA_DEPTH_MAX} levels`,
};

/** What a schema lacks to be taken; null where it is right. */
function schemaFault(what: string, schema: unknown): string | null {
  if (!isObject(schema)) return `its ${what} is no object`;
  const weight = weighJson(schema, SCHEMA_BOUNDS);
  if (typeof weight === "string") return `its ${what} ${BEYOND[weight]}`;
  const json = JSON.stringify(schema);
  if (Buffer.byteLength(json) > OFFER_SCHEMA_BYTES_MAX) return `its ${what} ${BEYOND.bytes}`;
  return UNSTORABLE.test(json) ? `its ${what} holds a character that can't be stored` : null;
}

/** Lets go of what no database takes. */
const textOf = (value: unknown, charsMax: number): string =>
  typeof value === "string" ? cut(value.replaceAll("\0", ""), charsMax) : "";

function hintsOf(annotations: unknown): ToolHints | null {
  if (!isObject(annotations)) return null;
  const hints = TOOL_HINTS.flatMap((hint) =>
    typeof annotations[hint] === "boolean" ? [[hint, annotations[hint]] as const] : [],
  );
  return hints.length === 0 ? null : Object.fromEntries(hints);
}

/** A tool as it was listed, or why it can't be taken. */
function takeOffer(listed: unknown): McpOffer | { name: string; fault: string } {
  if (!isObject(listed)) return { name: "?", fault: "it is no object" };
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  if (typeof name !== "string" || !NAME.test(name))
    return {
      name: cut(typeof name === "string" ? name : "?", OFFER_NAME_CHARS_MAX),
      fault: "its name can't be taken",
    };
  const fault =
    schemaFault("inputSchema", inputSchema) ??
    (isObject(inputSchema) && inputSchema["type"] !== "object"
      ? "its inputSchema is of another type than object"
      : null) ??
    (outputSchema === undefined ? null : schemaFault("outputSchema", outputSchema));
  if (fault !== null) return { name, fault };
  const shown = title ?? (isObject(annotations) ? annotations["title"] : undefined);
  return {
    name,
    title: textOf(shown, TOOL_TITLE_CHARS_MAX) || null,
    description: textOf(description, MCP_DESCRIPTION_CHARS_MAX),
    // Both are objects where no fault was found.
    inputSchema: inputSchema as JsonObject,
    outputSchema: (outputSchema as JsonObject | undefined) ?? null,
    annotations: hintsOf(annotations),
  };
}

const LEFT_OUT_SHOWN_MAX = 10;

/** What is taken of a server's list as its pages come. */
export class Offers {
  readonly taken: McpOffer[] = [];
  /** Why tools were left out, by their names; of the first ones only. */
  readonly leftOut = new Map<string, string>();
  readonly #names = new Set<string>();
  #bytes = 0;

  /** False where there is no room for more: the rest is left out. */
  add(listed: readonly unknown[]): boolean {
    for (const one of listed) {
      const offer = takeOffer(one);
      if ("fault" in offer) this.#leaveOut(offer.name, offer.fault);
      else if (this.#names.has(offer.name)) this.#leaveOut(offer.name, "it is listed twice");
      else if (!this.#hasRoom(offer)) return false;
    }
    return true;
  }

  #hasRoom(offer: McpOffer): boolean {
    this.#bytes += Buffer.byteLength(JSON.stringify(offer));
    if (this.taken.length === MCP_SERVER_TOOLS_MAX || this.#bytes > LIST_BYTES_MAX) {
      const bound = `more than ${MCP_SERVER_TOOLS_MAX} tools or ${LIST_BYTES_MAX} bytes`;
      this.#leaveOut(offer.name, `it and all after it: the server lists ${bound}`);
      return false;
    }
    this.#names.add(offer.name);
    this.taken.push(offer);
    return true;
  }

  #leaveOut(name: string, fault: string): void {
    if (this.leftOut.size < LEFT_OUT_SHOWN_MAX) this.leftOut.set(name, fault);
  }
}
