import type { Approval } from "@bulkhead/client";
import { useState } from "react";
import type { Answer } from "../../data/approvals.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, Select, TextInput } from "../../design/fields.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import {
  faultOf,
  firstPattern,
  firstPointer,
  isCommand,
  pointersOf,
  scopeWords,
  textAt,
  type Scope,
} from "./standing-scope.ts";

interface Props {
  approval: Extract<Approval, { kind: "execution" }>;
  isBusy: boolean;
  give: (answer: Answer) => void;
  onClose: () => void;
}

/** In the address's place of a pointer: all arguments, and no bound at all. */
const WHOLE = "all arguments";
const ANY = "any call";

/** Says which calls run from now on without asking, before it is allowed; begins with no other than this very call's. */
export function AllowAlways({ approval, isBusy, give, onClose }: Props) {
  const { arguments: args, toolName } = approval;
  const pointers = pointersOf(args);
  const isExact = isCommand(approval);
  const [chosen, choose] = useState(isExact ? ANY : (firstPointer(args) ?? WHOLE));
  const [pattern, setPattern] = useState(() => firstPattern(args, firstPointer(args)));
  const argument = chosen === WHOLE ? null : chosen;
  const scope: Scope = chosen === ANY ? { kind: "all" } : { kind: "match", argument, pattern };
  const fault = faultOf(scope, args);
  const change = (next: string): void => {
    choose(next);
    if (next !== ANY) setPattern(firstPattern(args, next === WHOLE ? null : next));
  };
  const allow = (): void =>
    give(scope.kind === "all" ? { kind: "always" } : { kind: "always", argument, pattern });
  return (
    <Dialog
      title={`Allow ${wordsLine(toolName)} always?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={isBusy} disabled={fault !== null} onClick={allow}>
            Allow always
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!isExact && (
          <Field label="Which calls">
            {(tie) => (
              <Select {...tie} data-first value={chosen} onChange={({ target }) => change(target.value)}>
                {pointers.map((pointer) => (
                  <option key={pointer} value={pointer}>
                    Those whose argument {wordsLine(pointer.slice(1))} matches
                  </option>
                ))}
                <option value={WHOLE}>Those whose arguments match, all together</option>
                <option value={ANY}>
                  {approval.toolId === null ? "Every call" : "Every call of this version"}
                </option>
              </Select>
            )}
          </Field>
        )}
        {scope.kind === "match" && (
          <Field
            label="Text that must match"
            hint={
              textAt(args, argument).includes("*")
                ? "The whole text; * stands for any characters, also where this call has one."
                : "The whole text; * stands for any characters."
            }
            fault={fault ?? undefined}
          >
            {(tie) => (
              <TextInput
                {...tie}
                value={pattern}
                spellCheck={false}
                autoComplete="off"
                className="font-mono"
                onChange={({ target }) => setPattern(target.value)}
              />
            )}
          </Field>
        )}
        <div className="rounded-md bg-warn-soft px-3 py-2 text-sm">
          <p className="break-words">
            From now on, without asking, for any agent that may call it:{" "}
            <strong className="font-semibold">
              <Words text={scopeWords(approval, scope)} />
            </strong>
            .
          </p>
          <p className="mt-1 text-ink-2">
            {approval.toolId === null
              ? "It becomes a rule of the tenant's settings, where you can take it out."
              : "A newer version of the tool is asked about again. You can revoke it under Standing."}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
