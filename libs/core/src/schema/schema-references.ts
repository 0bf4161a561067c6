import { canonicalJson } from "../json/canonical-json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { type Dialect, readDialect } from "./dialect.ts";
import { childOf, decoded, eachInnerSchema, isObject, stepsOf } from "./schema-parts.ts";

/** A schema within a schema, or the root itself. */
export interface SchemaNode {
  schema: JsonObject | boolean;
  /** Names and indexes from the root. */
  steps: readonly string[];
  /** The schema that it is a part of, and the steps from there; null at the root and where only references lead. */
  parent: { node: SchemaNode; steps: readonly string[] } | null;
  /** The root of its document: the nearest schema with an `$id` of its own, or the root. */
  resource: SchemaNode;
  /** The absolute URI that its references are relative to. */
  base: string;
}

/** The target of a reference. */
export type Lead =
  | { outcome: "found"; node: SchemaNode }
  /** To a document that is no part of the schema. */
  | { outcome: "elsewhere" }
  /** To a document of the schema, and nothing there. */
  | { outcome: "nothing" }
  /** Leads to the place of that name in the first document that the check came through and that has it; else to `node`. */
  | { outcome: "changing"; name: string; node: SchemaNode };

export type ReferenceKeyword = "$ref" | "$dynamicRef" | "$recursiveRef";

const KEYWORDS: Readonly<Record<Dialect, readonly ReferenceKeyword[]>> = {
  "2020-12": ["$ref", "$dynamicRef"],
  "2019-09": ["$ref", "$recursiveRef"],
  "draft-07": ["$ref"],
};

/** Names that are reported as ambiguous; further ones aren't compared, since comparing parts costs their size. */
const AMBIGUOUS_MAX = 20;
/** The base URI of a schema whose root has none of its own. */
const NAMELESS = "schema://root/";

/** Steps from the root to a schema; deeper ones are ignored. A tool's schema has 32 levels at most. */
const STEPS_MAX = 64;

/** Characters of a URI, also of one that is written relative to another: each name in a document is held against the document's own. */
export const URI_CHARS_MAX = 500;

interface Named {
  node: SchemaNode;
  dynamic: boolean;
}

/**
 * All schemas within a schema, and where its references lead among them: by JSON pointer, by `$id` and by anchor, in each of
 * the documents that are bundled in it. Nothing is ever loaded. Takes time in proportion to the schema's size.
 */
export class SchemaReferences {
  readonly dialect: Dialect;
  readonly root: SchemaNode;
  /** Names that two parts have which are not alike, each where it comes again. */
  readonly ambiguous: { steps: readonly string[]; keyword: string }[] = [];
  /** Keyed by `#keyOf` of their steps. */
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #numbers = new Map<string, number>();
  readonly #holders = new Map<JsonObject, SchemaNode>();
  readonly #named = new Map<string, Named>();
  /** The places of names that references may find anew in each document, by name and document. */
  readonly #dynamic = new Map<string, Map<SchemaNode, SchemaNode>>();

  constructor(root: JsonObject, dialect: Dialect = readDialect(root) ?? "2020-12") {
    this.dialect = dialect;
    this.root = this.#add(root, [], null, undefined);
    // The target of a reference is read as a schema too, so the loop grows while references are followed.
    for (const node of this.#nodes.values())
      for (const [keyword, ref] of this.referencesOf(node.schema)) this.lead(ref, node, keyword);
  }

  /** The schemas, each before those within it; targets of references alone come last. */
  get nodes(): IterableIterator<SchemaNode> {
    return this.#nodes.values();
  }

  /** The references of one schema that are texts. */
  referencesOf(schema: JsonObject | boolean): [ReferenceKeyword, string][] {
    if (typeof schema === "boolean") return [];
    return KEYWORDS[this.dialect].flatMap((keyword): [ReferenceKeyword, string][] => {
      const ref = schema[keyword];
      return typeof ref === "string" ? [[keyword, ref]] : [];
    });
  }

  lead(ref: string, from: SchemaNode, keyword: ReferenceKeyword = "$ref"): Lead {
    const cut = ref.indexOf("#");
    const [name, fragment] = cut < 0 ? [ref, ""] : [ref.slice(0, cut), ref.slice(cut + 1)];
    const uri = name === "" ? from.base : resolveUri(name, from.base);
    const document = uri === null ? undefined : this.#named.get(uri)?.node;
    if (!document) return { outcome: "elsewhere" };
    if (fragment === "" || fragment.startsWith("/")) {
      const node = this.#at(document, fragment === "" ? [] : stepsOf(fragment));
      if (!node) return { outcome: "nothing" };
      const anew = keyword === "$recursiveRef" && isAnchored(node.schema);
      return anew ? this.#only(node, RECURSIVE) : { outcome: "found", node };
    }
    const named = this.#named.get(`${uri}#${decoded(fragment)}`);
    if (!named) return { outcome: "nothing" };
    return keyword === "$dynamicRef" && named.dynamic
      ? this.#only(named.node, decoded(fragment))
      : { outcome: "found", node: named.node };
  }

  /** The place of this very object, if it is a schema of this one. */
  nodeOf(schema: JsonObject): SchemaNode | undefined {
    return this.#holders.get(schema);
  }

  /**
   * The targets of a schema's references, as far as each has one; a schema that is no part of this is read as the root.
   */
  followed(schema: JsonObject): (JsonObject | boolean)[] {
    const from = this.nodeOf(schema) ?? this.root;
    return this.referencesOf(schema).flatMap(([keyword, ref]) => {
      const lead = this.lead(ref, from, keyword);
      return lead.outcome === "found" ? [lead.node.schema] : [];
    });
  }

  /** The places of names that several documents have, by name and document: which is meant depends on the way there. */
  get changing(): ReadonlyMap<string, ReadonlyMap<SchemaNode, SchemaNode>> {
    return new Map([...this.#dynamic].filter(([, places]) => places.size > 1));
  }

  /** The one place that has this name for references of its kind, in whatever document. */
  #only(node: SchemaNode, name: string): Lead {
    const isOne = this.#dynamic.get(name)?.size === 1;
    return isOne ? { outcome: "found", node } : { outcome: "changing", name, node };
  }

  #at(document: SchemaNode, steps: readonly string[]): SchemaNode | undefined {
    const whole = [...document.steps, ...steps];
    if (whole.length > STEPS_MAX) return undefined;
    const known = this.#nodes.get(this.#keyOf(whole));
    if (known) return known;
    const value = whole.reduce<Json | undefined>(childOf, this.root.schema);
    if (!isObject(value) && typeof value !== "boolean") return undefined;
    return this.#add(value, whole, null, this.#above(whole));
  }

  /** Each name by its number: a long one with many parts below it is not written out for each of them. */
  #keyOf(steps: readonly string[]): string {
    return steps
      .map((step) => {
        const number = this.#numbers.get(step) ?? this.#numbers.size;
        this.#numbers.set(step, number);
        return number;
      })
      .join();
  }

  /** The nearest schema that holds a place, however it holds it. */
  #above(steps: readonly string[]): SchemaNode {
    for (let count = steps.length - 1; count > 0; count -= 1) {
      const above = this.#nodes.get(this.#keyOf(steps.slice(0, count)));
      if (above) return above;
    }
    return this.root;
  }

  #add(
    schema: JsonObject | boolean,
    steps: readonly string[],
    parent: SchemaNode["parent"],
    outer: SchemaNode | undefined,
  ): SchemaNode {
    const outerBase = outer?.base ?? NAMELESS;
    const id = typeof schema === "boolean" ? undefined : this.#readId(schema)?.[0];
    const own = id === undefined || id === "" ? null : resolveUri(id, outerBase);
    const node = { schema, steps, parent, base: own ?? outerBase } as SchemaNode;
    const isDocument = own !== null || outer === undefined;
    node.resource = isDocument ? node : outer.resource;
    this.#nodes.set(this.#keyOf(steps), node);
    if (isDocument) this.#name(node.base, node, "$id");
    if (typeof schema === "boolean") return node;
    this.#holders.set(schema, node);
    this.#nameAnchors(node, schema);
    if (steps.length + 2 > STEPS_MAX) return node;
    for (const [inner, value] of eachInnerSchema(schema)) {
      const below = [...steps, ...inner];
      if ((isObject(value) || typeof value === "boolean") && !this.#nodes.has(this.#keyOf(below)))
        this.#add(value, below, { node, steps: inner }, node);
    }
    return node;
  }

  /**
   * The name of a document and that of a place in it, which draft 7 writes in `$id`; draft 7 reads nothing beside a
   * reference.
   */
  #readId({ $id: id, $ref: ref }: JsonObject): [document: string, anchor: string] | undefined {
    if (typeof id !== "string" || (this.dialect === "draft-07" && ref !== undefined)) return undefined;
    const cut = id.indexOf("#");
    return cut < 0 ? [id, ""] : [id.slice(0, cut), id.slice(cut + 1)];
  }

  #nameAnchors(node: SchemaNode, schema: JsonObject): void {
    const byId = this.#readId(schema)?.[1] ?? "";
    if (byId !== "") this.#name(`${node.base}#${byId}`, node, "$id");
    if (this.dialect === "draft-07") return;
    const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    if (typeof anchor === "string") this.#name(`${node.base}#${anchor}`, node, "$anchor");
    if (this.dialect === "2020-12" && typeof dynamic === "string") {
      this.#name(`${node.base}#${dynamic}`, node, "$dynamicAnchor");
      this.#noteDynamic(dynamic, node);
    }
    if (this.dialect === "2019-09" && node.resource === node && isAnchored(schema))
      this.#noteDynamic(RECURSIVE, node);
  }

  #noteDynamic(name: string, node: SchemaNode): void {
    const places = this.#dynamic.get(name) ?? new Map<SchemaNode, SchemaNode>();
    this.#dynamic.set(name, places.set(node.resource, places.get(node.resource) ?? node));
  }

  /** A part that is written twice, name and all, is one part. */
  #name(uri: string, node: SchemaNode, keyword: string): void {
    const there = this.#named.get(uri);
    if (!there) this.#named.set(uri, { node, dynamic: keyword === "$dynamicAnchor" });
    else if (this.ambiguous.length >= AMBIGUOUS_MAX) return;
    else if (there.node !== node && canonicalJson(there.node.schema) !== canonicalJson(node.schema))
      this.ambiguous.push({ steps: node.steps, keyword });
  }
}

/** No anchor has this name. */
const RECURSIVE = "";
const isAnchored = (schema: JsonObject | boolean): boolean =>
  typeof schema !== "boolean" && schema["$recursiveAnchor"] === true;

/** A longer one is the name of nothing. */
function resolveUri(ref: string, base: string): string | null {
  const uri = ref.length > URI_CHARS_MAX ? null : URL.parse(ref, base);
  return uri && uri.href.length <= URI_CHARS_MAX ? uri.href : null;
}
