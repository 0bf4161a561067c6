import { Field, Options, Select, TextInput } from "../design/fields.tsx";
import { wordsLine } from "../design/words.tsx";
import { NumberField } from "../screens/tool/test/typed-field.tsx";
import type { PartProps } from "./builder-parts.ts";
import { kindOf } from "./field-kinds.ts";
import { isShown, putKeyword } from "./keyword-edits.ts";

export interface BoundsProps extends PartProps {
  /** What is wrong with its keywords, by their names. */
  faults: Readonly<Record<string, string>>;
}

/** The formats that are checked; any other is a word for the reader. */
const FORMATS = [
  ["date-time", "date and time"],
  ["date", "date"],
  ["time", "time"],
  ["duration", "duration"],
  ["email", "e-mail address"],
  ["uri", "web address (URI)"],
  ["uri-reference", "URI, or a part of one"],
  ["hostname", "host name"],
  ["ipv4", "IPv4 address"],
  ["ipv6", "IPv6 address"],
  ["uuid", "UUID"],
  ["regex", "regular expression"],
  ["json-pointer", "JSON Pointer"],
  ["byte", "Base64"],
] as const;

const GRID = "grid grid-cols-2 gap-x-3 gap-y-2";

export function TextBounds(part: BoundsProps) {
  const { format, pattern } = part.schema;
  const isOther = typeof format === "string" && !FORMATS.some(([name]) => name === format);
  return (
    <div className={`${GRID} @2xl:grid-cols-4`}>
      {isShown(part.schema, "text", "format") && (
        <Field label="Format">
          {(tie) => (
            <Select
              {...tie}
              value={typeof format === "string" ? format : ""}
              onChange={({ target }) => putKeyword(part, "format", target.value || undefined)}
            >
              <option value="">any text</option>
              <Options from={FORMATS} />
              {isOther && <option value={format}>{wordsLine(format)}</option>}
            </Select>
          )}
        </Field>
      )}
      <Bound {...part} keyword="minLength" label="Characters, at least" />
      <Bound {...part} keyword="maxLength" label="Characters, at most" />
      {isShown(part.schema, "text", "pattern") && (
        <Field label="Pattern" fault={part.faults["pattern"]}>
          {(tie) => (
            <TextInput
              {...tie}
              spellCheck={false}
              placeholder="^[A-Z]{3}$"
              className="font-mono"
              value={typeof pattern === "string" ? pattern : ""}
              onChange={({ target }) => putKeyword(part, "pattern", target.value || undefined)}
            />
          )}
        </Field>
      )}
    </div>
  );
}

export const NumberBounds = (part: BoundsProps) => (
  <div className={`${GRID} @2xl:grid-cols-5`}>
    <Bound {...part} keyword="minimum" label="At least" />
    <Bound {...part} keyword="maximum" label="At most" />
    <Bound {...part} keyword="exclusiveMinimum" label="More than" />
    <Bound {...part} keyword="exclusiveMaximum" label="Less than" />
    <Bound {...part} keyword="multipleOf" label="In steps of" />
  </div>
);

export const CountBounds = (part: BoundsProps) => (
  <div className={`${GRID} @2xl:grid-cols-4`}>
    <Bound {...part} keyword="minItems" label="Items, at least" />
    <Bound {...part} keyword="maxItems" label="Items, at most" />
  </div>
);

/** A number that bounds the values; empty: there is no such bound. */
function Bound({ keyword, label, ...part }: BoundsProps & { keyword: string; label: string }) {
  const { schema, faults } = part;
  // A draft of old has `true` where a number stands today.
  if (typeof schema[keyword] === "boolean" && !isShown(schema, kindOf(schema), keyword)) return null;
  return (
    <Field label={label} fault={faults[keyword]}>
      {(tie) => (
        <NumberField {...tie} value={schema[keyword]} change={(next) => putKeyword(part, keyword, next)} />
      )}
    </Field>
  );
}
