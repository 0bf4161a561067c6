import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildAutomaton, step } from "./automaton.ts";

/** Every word at every place, in the plainest way. */
const findAll = (words: readonly string[], text: string): string[] =>
  Array.from(text, (_, end) => words.filter((word) => text.slice(0, end + 1).endsWith(word)).sort()).map(
    String,
  );

function runAutomaton(words: readonly string[], text: string): { found: string[]; depths: number[] } {
  const automaton = buildAutomaton(words);
  const depths: number[] = [];
  let state = 0;
  const found = Array.from({ length: text.length }, (_, place) => {
    const code = text.charCodeAt(place);
    state = step(automaton, state, code < automaton.classes.length ? automaton.classes[code]! : 0);
    depths.push(automaton.depth[state]!);
    const here: string[] = [];
    for (let at = state; at !== 0; at = automaton.shorter[at]!)
      for (const id of automaton.words.get(at) ?? []) here.push(words[id]!);
    expect(automaton.ends[state]).toBe(here.length > 0 ? 1 : 0);
    return here.sort();
  });
  return { found: found.map(String), depths };
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });

test("every word is found wherever it ends, and the depth is what could still become one", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 60 }),
      (words, text) => {
        const { found, depths } = runAutomaton(words, text);
        expect(found).toEqual(findAll(words, text));
        depths.forEach((depth, place) => {
          const read = text.slice(0, place + 1);
          const lengths = words.flatMap((w) => Array.from(w, (_, i) => w.slice(0, i + 1)));
          const longest = Math.max(
            0,
            ...lengths.filter((start) => read.endsWith(start)).map((start) => start.length),
          );
          expect(depth).toBe(longest);
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

test("no words, no matches", () => {
  expect(runAutomaton([], "abc").found).toEqual(["", "", ""]);
});
