import { OutsideRefusal } from "./outside-refusal.ts";

/** Statements that read, or say how one would be run. */
const READING = ["SELECT", "WITH", "TABLE", "VALUES", "SHOW", "EXPLAIN"];
/** Those that change data and what it is kept in. */
const WRITING = [
  "INSERT",
  "UPDATE",
  "DELETE",
  "MERGE",
  "CALL",
  "CREATE",
  "ALTER",
  "DROP",
  "TRUNCATE",
  "COMMENT",
  "REFRESH",
];

/**
 * The statement's command. Throws `capability_denied` for a statement that may not be sent at all: what ends the transaction or changes the session, copies
 * to and from files and programs, runs blocks of code, or listens. The transaction is the wall for what a statement may
 * change, and the role for what its functions may do.
 */
export function requireStatement(sql: string, writable: boolean): string {
  const word = firstWord(sql);
  if (word === null) throw new OutsideRefusal("invalid_request", "the statement has no command");
  if (READING.includes(word)) return word;
  if (!WRITING.includes(word))
    throw new OutsideRefusal("capability_denied", `${word} is not for tools: ${listed(writable)}`);
  if (!writable)
    throw new OutsideRefusal(
      "capability_denied",
      `the service is read-only, so it takes no ${word}: ${listed(false)}; a person can set writable of the service`,
    );
  return word;
}

const listed = (writable: boolean): string =>
  `it may be ${(writable ? [...READING, ...WRITING] : READING).join(", ")}`;

const SPACE = /[ \t\r\n\f\v(]*/y;
const LINE_COMMENT = /--[^\r\n]*/y;
const COMMENT_MARK = /\/\*|\*\//g;
const WORD = /[A-Za-z]+(?![A-Za-z0-9_$\x80-\uffff])/y;

/** The word that the server reads first: after spaces, comments and opening parentheses. Null where that is no plain word. */
function firstWord(sql: string): string | null {
  let at = 0;
  for (;;) {
    const from = at;
    at = endOf(SPACE, sql, at);
    at = endOf(LINE_COMMENT, sql, at);
    if (sql.startsWith("/*", at)) at = endOfComment(sql, at);
    if (at === from) break;
  }
  WORD.lastIndex = at;
  return WORD.exec(sql)?.[0].toUpperCase() ?? null;
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

/** Comments of this kind nest in SQL; one that doesn't end takes the rest. */
function endOfComment(sql: string, from: number): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(from).matchAll(COMMENT_MARK)) {
    depth += mark === "/*" ? 1 : -1;
    if (depth === 0) return from + index + mark.length;
  }
  return sql.length;
}
