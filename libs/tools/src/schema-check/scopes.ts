import { pointerOf, type SchemaNode, type SchemaReferences } from "@bulkhead/core";

/**
 * The documents that a check came through, as far as they matter: for each name that several of them have, the first that
 * has it. Equal scopes have the same key.
 */
export interface Scope {
  key: string;
  first: ReadonlyMap<string, SchemaNode>;
}

export const NO_SCOPE: Scope = { key: "", first: new Map() };

/** Tells apart the ways on which a check can come to a schema. */
export class Scopes {
  readonly #changing: SchemaReferences["changing"];

  constructor(references: SchemaReferences) {
    this.#changing = references.changing;
  }

  /** The scope behind the door of a document. */
  entered(scope: Scope, document: SchemaNode): Scope {
    const news = [...this.#changing].filter(
      ([name, places]) => places.has(document) && !scope.first.has(name),
    );
    if (news.length === 0) return scope;
    const first = new Map([...scope.first, ...news.map(([name]) => [name, document] as const)]);
    const key = [...first].map(([name, { steps }]) => JSON.stringify([name, pointerOf(steps)])).toSorted();
    return { key: key.join(), first };
  }

  /** The place that a name has in a scope. */
  placeOf(name: string, scope: Scope): SchemaNode | undefined {
    const document = scope.first.get(name);
    return document && this.#changing.get(name)?.get(document);
  }

  /** The scope of a schema in its place, if only its container led there. */
  inPlace(node: SchemaNode): Scope {
    const outer = node.parent === null ? NO_SCOPE : this.inPlace(node.parent.node);
    return this.entered(outer, node.resource);
  }
}
