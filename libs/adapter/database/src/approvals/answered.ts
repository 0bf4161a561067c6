/** SQL of what is put on the row with an answer; `answer` and `by` are SQL too. */
export const answered = (answer: string, by: string): string =>
  `e.approval || jsonb_build_object('answer', ${answer}, 'by', ${by},
    'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
