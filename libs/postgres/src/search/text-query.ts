import { isUnspaced, termsOf } from "@bulkhead/core";
import { markOf, wholeTerm } from "./tenant-terms.ts";

/** A word that is looked for, as `searchWords` makes them. */
export interface Sought {
  word: string;
  /** As it may have been stored too. */
  accented?: string;
  /** By which its other forms are found; null where every sentence has it, undefined where only the word itself counts. */
  stem?: string | null;
}

// Queries of PostgreSQL's `tsquery`, as text. Terms are letters, digits and marks, so quotes make one lexeme of each.

/** For all these words, the last one also as the beginning of a longer word. */
export const allOf = (tenantId: string, words: readonly Sought[]): string =>
  withoutCommon(words)
    .map((sought) => found(tenantId, sought, sought === words.at(-1)))
    .join(" & ");

/** For any of these words, the last one also as the beginning of a longer word. */
export const anyOf = (tenantId: string, words: readonly Sought[]): string =>
  withoutParticles(words)
    .map((sought) => found(tenantId, sought, sought === words.at(-1)))
    .join(" | ");

/** For any of these as a whole word. */
export const anyWholeOf = (tenantId: string, words: readonly Sought[]): string =>
  withoutParticles(words)
    .flatMap((sought) => (isUnspaced(sought.word) ? [wholeTerm(sought.word)] : formsOf(sought)))
    .map((term) => lexeme(tenantId, term))
    .join(" | ");

function found(tenantId: string, sought: Sought, isLast: boolean): string {
  if (!isUnspaced(sought.word))
    return `(${formsOf(sought)
      .map((form) => lexeme(tenantId, form, isLast))
      .join(" | ")})`;
  const terms = termsOf(sought.word);
  return `(${terms.map((term) => lexeme(tenantId, term, terms.length === 1)).join(" & ")})`;
}

const formsOf = ({ word, accented = word, stem }: Sought): string[] => [
  ...new Set([word, accented, stem ?? word]),
];

const lexeme = (tenantId: string, term: string, isBeginning = false): string =>
  `'${markOf(tenantId)}${term}'${isBeginning ? ":*" : ""}`;

/** Without the words that every sentence has, unless nothing else is left. */
const withoutCommon = (words: readonly Sought[]): readonly Sought[] =>
  orAll(
    words,
    words.filter(({ stem }) => stem !== null),
  );

/** Without single characters between longer words either, as particles are in a script without blanks. */
const withoutParticles = (words: readonly Sought[]): readonly Sought[] => {
  const rare = withoutCommon(words);
  return orAll(
    rare,
    rare.filter(({ word }) => !isUnspaced(word) || Array.from(word).length > 1),
  );
};

const orAll = (all: readonly Sought[], some: readonly Sought[]): readonly Sought[] =>
  some.length > 0 ? some : all;
