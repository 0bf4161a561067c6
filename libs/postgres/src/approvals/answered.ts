/** SQL of what is put on the row with an answer; `answer`, `by` and what more there is, by name, are SQL too. */
export const answered = (answer: string, by: string, more: Record<string, string> = {}): string =>
  `e.approval || jsonb_build_object('answer', ${answer}, 'by', ${by},
    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')${Object.entries(more)
      .map(([name, value]) => `, '${name}', ${value}`)
      .join("")})`;
