import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CHUNK_CHARS_MAX, CHUNK_OVERLAP_CHARS_MAX, chunkText } from "./chunk-text.ts";

const LINE = "A line of some words that are of no use to anybody.";
const ranges = (text: string) => chunkText(text).map(({ startLine, endLine }) => [startLine, endLine]);

test("a short document is one chunk, without the blank lines around it", () => {
  expect(chunkText("\n\n# Anna\n\nlikes tea\n\n")).toEqual([
    { startLine: 3, endLine: 5, text: "# Anna\n\nlikes tea" },
  ]);
  expect(chunkText("\n \n\t\n")).toEqual([]);
});

test("a heading begins a chunk where the section before it has something to say", () => {
  const section = (name: string) => `# ${name}\n${`${LINE}\n`.repeat(5)}`;
  expect(ranges(section("a") + section("b"))).toEqual([
    [1, 6],
    [7, 12],
  ]);
  expect(ranges("# a\nshort\n# b\nshort\n")).toEqual([[1, 4]]);
});

test("what looks like a heading within a fence is none", () => {
  const code = `\`\`\`sh\n# a comment\n${`${LINE}\n`.repeat(5)}# another\necho\n\`\`\``;
  expect(ranges(code)).toEqual([[1, 10]]);
});

test("a long section is cut between paragraphs, and the next chunk repeats a little", () => {
  const paragraph = `${`${LINE}\n`.repeat(9)}\n`;
  const [first, second] = chunkText(paragraph.repeat(5));
  expect([first?.startLine, first?.endLine]).toEqual([1, 29]);
  // Three lines of 52 characters, and the blank one.
  expect(second?.startLine).toBe(27);
});

test("a line that is longer than a chunk is cut between characters", () => {
  const chunks = chunkText(`a\n${"😀".repeat(2_000)}\nb`);
  expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 1],
    [2, 2],
    [2, 2],
    [2, 2],
    [3, 3],
  ]);
  expect(chunks.every(({ text }) => text.isWellFormed())).toBe(true);
});

test("whatever is written, each line is in a chunk, and each chunk is lines as they stand", () => {
  const line = fc.oneof(
    fc.constantFrom("", "# A heading", "## Another", "```", " ", LINE, LINE.repeat(3), "x".repeat(4_000)),
    fc.string({ maxLength: 80 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
      const chunks = chunkText(lines.join("\n"));
      const covered = new Set<number>();
      for (const [n, { startLine, endLine, text }] of chunks.entries()) {
        expect(text.length).toBeLessThanOrEqual(CHUNK_CHARS_MAX);
        for (let at = startLine; at <= endLine; at += 1) covered.add(at);
        const whole = lines.slice(startLine - 1, endLine).join("\n");
        expect(startLine === endLine ? whole.includes(text) : whole === text).toBe(true);
        const former = chunks[n - 1];
        if (!former || former.endLine < startLine || startLine === endLine) continue;
        const repeated = lines.slice(startLine - 1, former.endLine).join("\n");
        expect(repeated.length).toBeLessThanOrEqual(CHUNK_OVERLAP_CHARS_MAX);
      }
      for (const [at, said] of lines.entries())
        if (said.trim() !== "") expect(covered.has(at + 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
