import type { z } from "zod";

/** A field as it is shown: a moment as its text, and what is null not at all. */
type Shown<Value> = Value extends Date ? string : Value extends null ? undefined : Value;

/** Names of the answer's fields that `From` holds in the same form. Where the contract has null, it is for `own` to say. */
type Held<Answer, From> = {
  [Name in keyof Answer & keyof From]: null extends Answer[Name]
    ? never
    : Shown<From[Name]> extends Answer[Name]
      ? Name
      : never;
}[keyof Answer & keyof From];

/** The caller has to say what `From` holds in another form or not at all, and may say the rest. */
type Own<Answer, From> = Partial<Answer> &
  Omit<Answer, keyof From> & {
    [Name in Exclude<keyof Answer & keyof From, Held<Answer, From>>]: Answer[Name];
  };

/**
 * Makes an answer by its contract, field by field in the contract's order: `own` comes first, then `from` under the same name.
 * A field that the contract doesn't name is not shown.
 */
export function shownAs<Contract extends z.ZodObject, From extends object>(
  contract: Contract,
  from: From,
  own: Own<z.infer<Contract>, NoInfer<From>>,
): z.infer<Contract> {
  const said = own as Record<string, unknown>;
  const held = from as Record<string, unknown>;
  const names = Object.keys(contract.shape);
  return Object.fromEntries(
    names.map((name) => [name, name in said ? said[name] : shown(held[name])]),
  ) as z.infer<Contract>;
}

const shown = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : (value ?? undefined);
