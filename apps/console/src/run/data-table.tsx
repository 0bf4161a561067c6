import { harmlessJson } from "@bulkhead/core/harmless";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Words } from "../design/words.tsx";
import type { TableData } from "./result-forms.ts";

const ROWS_FIRST = 100;
const CELL_CHARS_MAX = 300;

/** Rows of a result; more of them when somebody asks. */
export function DataTable({ table: { columns, rows } }: { table: TableData }) {
  const [count, setCount] = useState(ROWS_FIRST);
  return (
    <div className="-m-3">
      <div
        className="max-h-[32rem] overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="The result as a table"
      >
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              {columns.map((name, index) => (
                <th
                  key={index}
                  scope="col"
                  className="sticky top-0 border-b border-line bg-sunken px-3 py-1.5 text-left text-xs font-medium whitespace-nowrap text-ink-2"
                >
                  <Words text={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, index) => (
              <tr key={index} className="border-b border-line last:border-b-0 hover:bg-hover">
                {row.map((value, place) => (
                  <td
                    key={place}
                    className={classes(
                      "px-3 py-1.5 align-top",
                      typeof value === "number" && "text-right tabular-nums",
                    )}
                  >
                    <Cell value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > count && (
        <Button
          look="quiet"
          className="w-full rounded-none border-t border-line"
          onClick={() => setCount(count + 10 * ROWS_FIRST)}
        >
          {(rows.length - count).toLocaleString()} more rows
        </Button>
      )}
    </div>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined || value === null)
    return <span className="text-ink-3">{value === null ? "null" : "–"}</span>;
  const text = typeof value === "string" ? value : harmlessJson(value, 0);
  return <Words text={text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text} />;
}
