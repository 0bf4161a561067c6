import { type FormEvent, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/fields.tsx";
import { Search, X } from "../../design/icons.tsx";
import { isObject } from "../../format/json-object.ts";
import { readJson } from "../../format/read-json.ts";
import { type ChangeData, type DataSearch, ORDER_CHARS_MAX, WHERE_CHARS_MAX } from "./data-search.ts";

interface Props {
  search: DataSearch;
  change: ChangeData;
}

const OPERATORS = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "contains", "startsWith", "exists"];

/** Which documents are shown, and in which order. */
export function QueryForm({ search, change }: Props) {
  const [where, setWhere] = useState(search.where ?? "");
  const [order, setOrder] = useState(search.order ?? "");
  const [shown, setShown] = useState(search);
  // What came by the address, as by the browser's way back.
  if (shown.where !== search.where || shown.order !== search.order) {
    setShown(search);
    setWhere(search.where ?? "");
    setOrder(search.order ?? "");
  }
  const fault = faultOf(where);
  const find = (event: FormEvent): void => {
    event.preventDefault();
    if (fault === undefined) change({ where: where.trim() || undefined, order: order.trim() || undefined });
  };
  const isNarrowed = search.where !== undefined || search.order !== undefined;
  return (
    <form role="search" className="mb-3" onSubmit={find}>
      <div className="grid items-start gap-2 sm:grid-cols-[minmax(0,1fr)_12rem_auto]">
        <Field label="Conditions, as JSON" fault={fault} hint='All have to hold, as {"status": "open"}.'>
          {(tie) => (
            <TextInput
              {...tie}
              data-search
              className="font-mono"
              spellCheck={false}
              placeholder='{"status": "open", "age": {"gte": 3}}'
              value={where}
              maxLength={WHERE_CHARS_MAX}
              onChange={({ target }) => setWhere(target.value)}
            />
          )}
        </Field>
        <Field label="Order by" hint="- before a field: highest first.">
          {(tie) => (
            <TextInput
              {...tie}
              placeholder="By id"
              value={order}
              maxLength={ORDER_CHARS_MAX}
              onChange={({ target }) => setOrder(target.value)}
            />
          )}
        </Field>
        <span className="flex gap-2 sm:pt-6">
          <Button type="submit" icon={Search} disabled={fault !== undefined}>
            Find
          </Button>
          {isNarrowed && (
            <Button
              look="quiet"
              icon={X}
              aria-label="Show all documents"
              onClick={() => change({ where: undefined, order: undefined })}
            />
          )}
        </span>
      </div>
      <details className="mt-1 text-xs text-ink-2">
        <summary className="w-fit cursor-pointer rounded-sm">How conditions are written</summary>
        <p className="mt-1 max-w-3xl">
          Fields of the document with a value that they have to be, or with operators:{" "}
          {OPERATORS.map((name, at) => (
            <span key={name}>
              {at > 0 && ", "}
              <code>{name}</code>
            </span>
          ))}
          . A dot goes into an object, as in <code>{'{"address.city": "Oslo"}'}</code>; <code>$id</code>,{" "}
          <code>$createdAt</code> and <code>$updatedAt</code> are the document&apos;s own.
        </p>
      </details>
    </form>
  );
}

function faultOf(where: string): string | undefined {
  if (where.trim() === "") return undefined;
  const read = readJson(where);
  if ("fault" in read) return `${read.fault.message} (character ${read.fault.column})`;
  return isObject(read.value) ? undefined : 'Conditions are a JSON object, such as {"status": "open"}.';
}
