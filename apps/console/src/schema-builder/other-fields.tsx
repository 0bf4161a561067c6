import { useId } from "react";
import { Select } from "../design/fields.tsx";
import type { PartProps } from "./builder-parts.ts";
import { isShown, putKeyword } from "./keyword-edits.ts";

/** Whether callers may send fields that are not listed. */
export function OtherFields(part: Pick<PartProps, "schema" | "change">) {
  const id = useId();
  if (!isShown(part.schema, "object", "additionalProperties")) return null;
  const { additionalProperties: others } = part.schema;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-2">
      <label htmlFor={id}>Fields that are not listed</label>
      <Select
        id={id}
        className="h-7!"
        value={typeof others === "boolean" ? String(others) : ""}
        onChange={({ target }) =>
          putKeyword(part, "additionalProperties", target.value === "" ? undefined : target.value === "true")
        }
      >
        <option value="">are allowed</option>
        {others === true && <option value="true">are allowed, and it says so</option>}
        <option value="false">are refused</option>
      </Select>
    </p>
  );
}
