import { isFreeName } from "./advice.ts";
import { isServicesRoot } from "./named-services.ts";
import { isPermittedRoot } from "./permitted-calls.ts";

/**
 * A scope of names. It keeps only those that the rules ask for, so it is a few words whatever the code declares; all scopes
 * together keep every name.
 */
export class Scope {
  readonly outer: Scope | null;
  /** The scope in which a `var` of this one is declared. */
  readonly #varScope: Scope;
  readonly #declared: Set<string>;
  #own: Set<string> | undefined;

  constructor(declared: Set<string>, outer: Scope | null = null, holdsVars = true) {
    this.#declared = declared;
    this.outer = outer;
    this.#varScope = outer && !holdsVars ? outer.#varScope : this;
  }

  /** A scope inside this one. One that `holdsVars` is a function's: no `var` leaves it. */
  open(holdsVars = false): Scope {
    return new Scope(this.#declared, this, holdsVars);
  }

  declare(names: Iterable<string>): void {
    for (const name of names) {
      this.#declared.add(name);
      if (isFreeName(name) || isPermittedRoot(name) || isServicesRoot(name))
        (this.#own ??= new Set()).add(name);
    }
  }

  /** As `var` does: for the whole function around. */
  declareVar(names: Iterable<string>): void {
    this.#varScope.declare(names);
  }

  /** Whether the name is declared in this very scope. */
  declares(name: string): boolean {
    return this.#own?.has(name) ?? false;
  }
}

/** Whether a reference in `scope` finds the name in the tool's own code. To be asked when all is declared. */
export function isFound(name: string, scope: Scope): boolean {
  let at: Scope | null = scope;
  while (at && !at.declares(name)) at = at.outer;
  return at !== null;
}
