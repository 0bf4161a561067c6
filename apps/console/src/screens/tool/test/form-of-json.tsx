import { useState } from "react";
import { classes } from "../../../design/classes.ts";
import { ArgumentForm, type Arguments } from "./argument-form.tsx";

interface Props {
  schema: Readonly<Record<string, unknown>>;
  /** What the JSON says; else what is wrong with it. */
  args: Arguments | string;
  change: (next: Arguments) => void;
}

/** The form stands still while the JSON is none. */
export function FormOfJson({ schema, args, change }: Props) {
  const [last, setLast] = useState<Arguments>({});
  if (typeof args !== "string" && args !== last && JSON.stringify(args) !== JSON.stringify(last))
    setLast(args);
  const isBroken = typeof args === "string";
  return (
    <fieldset disabled={isBroken} className={classes("min-w-0", isBroken && "opacity-55")}>
      <legend className="sr-only">Arguments, field by field</legend>
      <ArgumentForm schema={schema} value={isBroken ? last : args} change={change} />
    </fieldset>
  );
}
