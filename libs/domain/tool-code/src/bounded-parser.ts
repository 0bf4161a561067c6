import { Parser, type Options } from "acorn";
import { CODE_NAME_COMPARISONS_MAX, REGEXP_NAMED_GROUPS_MAX, REGEXP_NESTING_MAX } from "./bounds.ts";

/** What is used of acorn's inside, whose types it keeps to itself; the version is pinned, and tests hold it to this. */
interface ParserInside {
  readonly scopeStack: readonly DeclaredNames[];
  currentVarScope(): DeclaredNames;
  raise(at: number, message: string): never;
  declareName(name: string, kind: number, at: number): void;
  validateRegExpPattern(state: { start: number; source: string }): void;
}
interface DeclaredNames {
  var: string[];
  lexical: string[];
  functions: string[];
}
type InsideConstructor = new (options: Options, input: string, startPos?: number) => ParserInside;

/** acorn where it takes more than linear time: names declared in one scope, and named groups of a pattern. */
export const BoundedParser = Parser.extend((base) => {
  class Bounded extends (base as unknown as InsideConstructor) {
    #comparisons = 0;

    override declareName(name: string, kind: number, at: number): void {
      // A `var` is compared in every scope that it is hoisted through; the rest in one, which is among them.
      const last = this.scopeStack.lastIndexOf(this.currentVarScope());
      for (const scope of this.scopeStack.slice(last)) {
        this.#comparisons += 1 + scope.var.length + scope.lexical.length + scope.functions.length;
      }
      if (this.#comparisons > CODE_NAME_COMPARISONS_MAX)
        this.raise(at, "The code declares too many names: put data into arrays and objects");
      super.declareName(name, kind, at);
    }

    override validateRegExpPattern(state: { start: number; source: string }): void {
      const { named, nesting } = measureGroups(state.source);
      if (named > REGEXP_NAMED_GROUPS_MAX || nesting > REGEXP_NESTING_MAX)
        this.raise(state.start, "The regular expression has too many groups");
      super.validateRegExpPattern(state);
    }
  }
  return Bounded as unknown as typeof Parser;
});

/** Upper bounds, by the characters alone: a bracket in a character class counts too. */
function measureGroups(pattern: string): { named: number; nesting: number } {
  let [named, open, nesting] = [0, 0, 0];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === ")") open -= 1;
    else if (char === "(") {
      open += 1;
      nesting = Math.max(nesting, open);
      if (pattern.startsWith("?<", at + 1)) named += 1;
    }
  }
  return { named, nesting };
}
