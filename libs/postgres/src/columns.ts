/** Columns of `table` under the names that the client's types have, as in `t.created_at AS "createdAt"`. */
export const columns = (table: string, fields: Readonly<Record<string, true>>): string =>
  Object.keys(fields)
    .map((field) => `${table}.${snakeCase(field)} AS "${field}"`)
    .join(", ");

const snakeCase = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
