import { Parser, type Options } from "acorn";
import { CODE_LOOKUPS_MAX, CODE_NAME_COMPARISONS_MAX, CODE_SCOPES_MAX } from "./bounds.ts";
import { RegExpBudget } from "./regexp-budget.ts";

/** The part of acorn's inside that is used, whose types it keeps to itself; the version is pinned, and tests hold it to this. */
interface ParserInside {
  readonly scopeStack: readonly DeclaredNames[];
  readonly labels: readonly unknown[];
  readonly privateNameStack: readonly { used: readonly unknown[] }[];
  readonly start: number;
  currentVarScope(): DeclaredNames;
  raise(at: number, message: string): never;
  declareName(name: string, kind: number, at: number): void;
  validateRegExpPattern(state: PatternState): void;
  checkLValInnerPattern(...rest: unknown[]): void;
  parseLabeledStatement(...rest: unknown[]): unknown;
  parseBreakContinueStatement(...rest: unknown[]): unknown;
  exitClassBody(): void;
  checkLocalExport(name: unknown): void;
  enterScope(flags: number): void;
}
interface DeclaredNames {
  var: string[];
  lexical: string[];
  functions: string[];
}
interface PatternState {
  start: number;
  source: string;
  flags: string;
}
type InsideConstructor = new (options: Options, input: string, startPos?: number) => ParserInside;

/**
 * acorn, stopped where it takes more than linear time: at names declared in one scope, nested patterns, labels and
 * private names, and at regular expressions.
 */
export const BoundedParser = Parser.extend((base) => {
  class Bounded extends (base as unknown as InsideConstructor) {
    #comparisons = 0;
    #lookups = 0;
    readonly #regexps = new RegExpBudget();

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

    #lookUp(times: number): void {
      this.#lookups += times;
      if (this.#lookups > CODE_LOOKUPS_MAX)
        this.raise(
          this.start,
          `The code takes more than ${CODE_LOOKUPS_MAX} look-ups: nest fewer patterns, labels, loops and classes`,
        );
    }

    override checkLValInnerPattern(...rest: unknown[]): void {
      this.#lookUp(1);
      super.checkLValInnerPattern(...rest);
    }

    override parseLabeledStatement(...rest: unknown[]): unknown {
      this.#lookUp(this.labels.length);
      return super.parseLabeledStatement(...rest);
    }

    override parseBreakContinueStatement(...rest: unknown[]): unknown {
      this.#lookUp(this.labels.length);
      return super.parseBreakContinueStatement(...rest);
    }

    override enterScope(flags: number): void {
      if (this.scopeStack.length >= CODE_SCOPES_MAX)
        this.raise(
          this.start,
          `The code is nested deeper than ${CODE_SCOPES_MAX} functions, loops and blocks`,
        );
      super.enterScope(flags);
    }

    /** Nothing: names are looked for in the module's scope, while the tool's are a function's; `export` is judged behind it. */
    override checkLocalExport(): void {}

    override exitClassBody(): void {
      // Names that a class doesn't declare are handed on to the class around it.
      this.#lookUp(this.privateNameStack.at(-1)?.used.length ?? 0);
      super.exitClassBody();
    }

    override validateRegExpPattern(state: PatternState): void {
      const refusal = this.#regexps.take(state.source, state.flags);
      if (refusal !== null) this.raise(state.start, refusal);
      super.validateRegExpPattern(state);
    }
  }
  return Bounded as unknown as typeof Parser;
});
