import type { Skill } from "./read-skill.ts";
import { termsIn } from "./skill-terms.ts";

/** How soon more of the same word counts no more, and how much long texts lose by their length. */
const K1 = 1.2;
const B = 0.75;

type Ranked<S> = { skill: S; score: number };

/**
 * Those that have a word of the query, the best first, by Okapi BM25: Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework: BM25 and Beyond" (2009), section 3.4; `ln(1 + …)` as Lucene's BM25Similarity has it, so that a word in most texts still
 * counts for a little and none against. Fields count by weighted frequencies (section 3.6).
 */
export function rankSkills<S extends Pick<Skill, "terms" | "length">>(
  skills: readonly S[],
  query: string,
): Ranked<S>[] {
  const averageLength = skills.reduce((sum, { length }) => sum + length, 0) / skills.length || 1;
  const words = [...new Set(termsIn(query))].map((word) => {
    const found = skills.reduce((count, { terms }) => count + (terms.has(word) ? 1 : 0), 0);
    return { word, idf: Math.log(1 + (skills.length - found + 0.5) / (found + 0.5)) };
  });
  const scoreOf = ({ terms, length }: S): number => {
    const norm = K1 * (1 - B + (B * length) / averageLength);
    return words.reduce((sum, { word, idf }) => {
      const often = terms.get(word) ?? 0;
      return sum + (idf * often * (K1 + 1)) / (often + norm);
    }, 0);
  };
  return skills
    .map((skill) => ({ skill, score: scoreOf(skill) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
}
