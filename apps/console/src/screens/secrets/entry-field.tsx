import type { ConfigEntry } from "@bulkhead/client";
import { Button } from "../../design/button.tsx";
import { Field as Labelled, Select, TextInput } from "../../design/fields.tsx";
import { When } from "../../design/when.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { type Field, isSecret, TAKEN_AWAY } from "./entry-values.ts";

interface Props {
  field: Field;
  entry: ConfigEntry | undefined;
  /** It is ready for the keyboard. */
  isFirst: boolean;
  typed: string;
  fault: string | undefined;
  onType: (text: string) => void;
}

/** Which keys a small device shows. The browser itself refuses nothing: the server says what it expects. */
const INPUT_MODES = { text: "text", url: "url", number: "decimal" } as const;

/** One field of an entry, by its kind. */
export function EntryField({ field, entry, isFirst, typed, fault, onType }: Props) {
  const { name, type, required, options = [], default: preset } = field;
  const before = entry?.data[name];
  return (
    <Labelled
      label={required ? name : `${name} (optional)`}
      fault={fault === undefined ? undefined : wordsLine(`It ${fault}.`)}
      hint={<Hint field={field} before={before} />}
    >
      {(tie) => {
        const shared = { ...tie, ...(isFirst && { "data-first": true }) };
        if (type === "secret")
          return (
            <SecretInput tie={shared} typed={typed} before={before} isNeeded={required} onType={onType} />
          );
        if (type === "boolean" || type === "select")
          return (
            <Select {...shared} value={typed} onChange={({ target }) => onType(target.value)}>
              <option value="">{preset === undefined ? "not set" : `preset: ${String(preset)}`}</option>
              {(type === "boolean" ? ["true", "false"] : options).map((option) => (
                <option key={option} value={option}>
                  {type === "boolean" ? { true: "yes", false: "no" }[option] : wordsLine(option)}
                </option>
              ))}
            </Select>
          );
        return (
          <TextInput
            {...shared}
            inputMode={INPUT_MODES[type]}
            value={typed}
            placeholder={preset === undefined ? undefined : wordsLine(String(preset))}
            onChange={({ target }) => onType(target.value)}
          />
        );
      }}
    </Labelled>
  );
}

interface SecretProps {
  tie: object;
  typed: string;
  before: ConfigEntry["data"][string] | undefined;
  isNeeded: boolean;
  onType: (text: string) => void;
}

/** What is typed replaces the secret; an empty field leaves it as it is. */
const SecretInput = ({ tie, typed, before, isNeeded, onType }: SecretProps) => {
  const isGoing = typed === TAKEN_AWAY;
  return (
    <span className="flex gap-2">
      <TextInput
        {...tie}
        type="password"
        autoComplete="new-password"
        value={isGoing ? "" : typed}
        disabled={isGoing}
        placeholder={isGoing ? "It will be removed" : isSecret(before) ? "Leave empty to keep it" : undefined}
        onChange={({ target }) => onType(target.value)}
      />
      {isSecret(before) && !isNeeded && (
        <Button onClick={() => onType(isGoing ? "" : TAKEN_AWAY)}>{isGoing ? "Keep it" : "Remove"}</Button>
      )}
    </span>
  );
};

const Hint = ({ field: { description }, before }: Pick<Props, "field"> & Pick<SecretProps, "before">) => (
  <>
    {description !== undefined && <Words text={description} />}
    {isSecret(before) && (
      <>
        {description !== undefined && " "}Set <When at={before.setAt} />
        {before.lastFour !== undefined && (
          <>
            , ends in <Words text={before.lastFour} />
          </>
        )}
        .
      </>
    )}
  </>
);
