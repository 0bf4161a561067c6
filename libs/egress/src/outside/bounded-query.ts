import type { DatabaseAnswer, DatabaseQuery, Json, JsonObject } from "@bulkhead/core";
import { QUERY_CHARS_PER_BYTE, QUERY_ROWS_AT_ONCE } from "../bounds.ts";
import { columnType } from "./column-values.ts";
import { OutsideRefusal } from "./outside-refusal.ts";
import { bindValue } from "./query-parameters.ts";

/** The messages of the extended protocol, which the driver's types leave out. */
interface Wire {
  flush(): void;
  sync(): void;
  parse(message: { text: string }): void;
  bind(message: { values: (string | null)[] }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { rows: number }): void;
}

interface Field {
  name: string;
  dataTypeID: number;
}

type Column = { name: string; type: string; read: (text: string) => Json };

/**
 * One statement by the extended protocol, which takes no second one, in portions: no more rows are asked for than the answer may
 * have, so that what is left stays in the database. The driver calls it as it calls its own queries.
 */
export class BoundedQuery {
  readonly answered: Promise<DatabaseAnswer>;
  readonly #query: DatabaseQuery;
  readonly #settle = Promise.withResolvers<DatabaseAnswer>();
  #columns: Column[] = [];
  readonly #rows: JsonObject[] = [];
  #bytes = 0;
  #truncated = false;
  #command: string;
  #rowCount: number | null = null;
  #fault: unknown = null;

  /** `command` is what the statement begins with; the server tells it once it is done. */
  constructor(query: DatabaseQuery, command: string) {
    this.#query = query;
    this.#command = command;
    this.answered = this.#settle.promise;
    // Who waits for it may have been told otherwise before.
    this.answered.catch(() => undefined);
  }

  submit(connection: Wire): null {
    const { sql, params } = this.#query;
    connection.parse({ text: sql });
    connection.bind({ values: params.map(bindValue) });
    connection.describe({ type: "P", name: "" });
    this.#askMore(connection);
    return null;
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const names = new Map<string, number>();
    this.#columns = fields.map(({ name, dataTypeID }) => {
      const count = (names.get(name) ?? 0) + 1;
      names.set(name, count);
      const { name: type, read } = columnType(dataTypeID);
      return { name: count === 1 ? name : `${name}_${count}`, type, read };
    });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#truncated || this.#fault !== null) return;
    const chars = fields.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    // What no answer takes is not taken apart: that costs seconds where it is JSON.
    this.#truncated = chars > this.#query.bytesMax * QUERY_CHARS_PER_BYTE;
    if (this.#truncated) return;
    try {
      const row = Object.fromEntries(
        this.#columns.map(({ name, read }, at): [string, Json] => {
          const text = fields[at] ?? null;
          return [name, text === null ? null : read(text)];
        }),
      );
      this.#bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      if (this.#bytes > this.#query.bytesMax || this.#rows.length === this.#query.rowsMax)
        this.#truncated = true;
      else this.#rows.push(row);
    } catch (error) {
      this.#fault = error;
    }
  }

  handlePortalSuspended(connection: Wire): void {
    if (this.#truncated || this.#fault !== null) connection.sync();
    else this.#askMore(connection);
  }

  handleCommandComplete({ text }: { text: string }, connection: Wire): void {
    const [, command = text, count] = /^([A-Z ]+?)(?: (\d+))*$/.exec(text) ?? [];
    this.#command = command;
    this.#rowCount = count === undefined ? null : Number(count);
    connection.sync();
  }

  handleEmptyQuery(connection: Wire): void {
    this.#fault = new OutsideRefusal("invalid_request", "the statement is empty");
    connection.sync();
  }

  /** No statement that is sent copies; a server that begins to is not what it says. */
  handleCopyInResponse(): void {
    this.#settle.reject(new OutsideRefusal("failed", "the database began to copy"));
  }

  handleCopyData(): void {
    this.handleCopyInResponse();
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#fault !== null) return this.handleError(this.#fault);
    this.#settle.resolve({
      ok: true,
      columns: this.#columns.map(({ name, type }) => ({ name, type })),
      rows: this.#rows,
      // What the server counts of rows that it sent in portions is the last portion.
      rowCount: this.#columns.length > 0 ? this.#rows.length : (this.#rowCount ?? 0),
      command: this.#command,
      truncated: this.#truncated,
    });
  }

  #askMore(connection: Wire): void {
    // One more than the answer may have tells whether there are more.
    const left = this.#query.rowsMax - this.#rows.length + 1;
    connection.execute({ rows: Math.min(QUERY_ROWS_AT_ONCE, left) });
    connection.flush();
  }
}
