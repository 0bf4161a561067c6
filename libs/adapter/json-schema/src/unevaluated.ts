import type { InputFault, Json } from "@bulkhead/domain";
import type { Dialect } from "./dialect.ts";
import { buildFault } from "./fault.ts";

/** What of a schema bears on what is unevaluated; its keywords are noted one by one. */
export class Unevaluated {
  readonly #places: { path: string; keyword: string }[] = [];
  #contains = false;
  #itemsOfChoice = false;
  #elseAlone = false;

  /** `path` is the keyword's. */
  note(keyword: string, value: Json, path: string): void {
    if (keyword === "unevaluatedItems" || keyword === "unevaluatedProperties")
      this.#places.push({ path, keyword });
    if (keyword === "contains") this.#contains = true;
    if (EVALUATE_ITEMS.has(keyword) && !Array.isArray(value) && CHOICE.test(path)) this.#itemsOfChoice = true;
  }

  noteNode(keywords: readonly string[]): void {
    if (keywords.includes("if") && !keywords.includes("then")) this.#elseAlone = true;
  }

  /** Where the compiler is known to lose count of what was evaluated: refused, not checked wrongly. */
  faults(dialect: Dialect): InputFault[] {
    if (dialect === "draft-07") return [];
    return this.#places.flatMap(({ path, keyword }) => {
      const beside = this.#besideOf(keyword, dialect);
      return beside === undefined
        ? []
        : [
            buildFault(
              path,
              `is not supported in a schema with ${beside}: it can't be told what was evaluated`,
            ),
          ];
    });
  }

  #besideOf(keyword: string, dialect: Dialect): string | undefined {
    if (this.#elseAlone) return "an if that has no then";
    if (keyword !== "unevaluatedItems") return undefined;
    if (this.#contains && dialect === "2020-12") return "contains";
    return this.#itemsOfChoice
      ? "items or references within anyOf, oneOf, if or dependentSchemas"
      : undefined;
  }
}

const EVALUATE_ITEMS = new Set(["items", "additionalItems", "$ref", "$dynamicRef", "$recursiveRef"]);
const CHOICE = /\.(?:anyOf|oneOf|if|then|else|dependentSchemas)\./;
