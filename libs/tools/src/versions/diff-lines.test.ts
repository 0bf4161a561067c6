import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";

const text = (...lines: string[]): string => lines.join("\n");

test("a change stands with three lines around it and the numbers of its lines", () => {
  const before = text("a", "b", "c", "d", "e", "f", "g", "h");
  const after = text("a", "b", "c", "d", "E", "f", "g", "h");
  expect(diffLines(before, after)).toEqual({
    unified: "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n",
    added: 1,
    removed: 1,
    exact: true,
  });
});

test("changes far from each other stand in hunks of their own, those near each other together", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
  const after = lines.toSpliced(24, 1).toSpliced(3, 0, "new").toSpliced(1, 1, "other");
  const { unified, added, removed } = diffLines(text(...lines), text(...after));
  expect(unified.match(/^@@.*@@$/gm)).toEqual(["@@ -1,6 +1,7 @@", "@@ -22,7 +23,6 @@"]);
  expect({ added, removed }).toEqual({ added: 2, removed: 2 });
});

test.each([
  ["everything", "a\nb", "c\nd", "@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n"],
  ["at the start", "b", "a\nb", "@@ -1,1 +1,2 @@\n+a\n b\n"],
  ["at the end", "a", "a\nb", "@@ -1,1 +1,2 @@\n a\n+b\n"],
  ["line endings", "a\r\nb", "a\nb", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"],
])("what changed is found: %s", (_what, before, after, unified) => {
  expect(diffLines(before, after).unified).toBe(unified);
});

test("every diff makes the one text of the other, in as few lines as can be", () => {
  let seed = 7;
  const random = (max: number): number => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (let round = 0; round < 200; round += 1) {
    const lines = () => Array.from({ length: random(12) + 1 }, () => "abc"[random(3)] ?? "");
    const [one, other] = [lines(), lines()];
    const { unified, added, removed, exact } = diffLines(text(...one), text(...other));
    expect(exact).toBe(true);
    expect(one.length - removed).toBe(commonLength(one, other));
    expect(other.length - added).toBe(commonLength(one, other));
    expect(patch(one, unified)).toEqual(other);
  }
});

test("texts that differ in everything, and hostile ones, are answered in bounded time and size", () => {
  const many = (of: (n: number) => string) => Array.from({ length: 60_000 }, (_, n) => of(n)).join("\n");
  const all = diffLines(
    many(String),
    many((n) => `x${n}`),
  );
  expect(all).toMatchObject({ exact: false, added: 60_000, removed: 60_000 });
  const blank = diffLines("\n".repeat(260_000), `a${"\n".repeat(260_000)}b`);
  expect(blank).toMatchObject({ exact: true, added: 2, removed: 2 });
  const alike = diffLines(
    many((n) => String(n % 2)),
    many((n) => String(n % 3)),
  );
  expect(alike.added - alike.removed).toBe(0);
  const framed = diffLines(`same\n${many(String)}\nend`, `same\n${many((n) => `x${n}`)}\nend`);
  expect(framed).toMatchObject({ exact: false, removed: 60_000 });
  expect(framed.unified.startsWith("@@ -1,60002 +1,60002 @@\n same\n-0\n")).toBe(true);
});

/** The lines of the other text, by the hunks alone. */
function patch(lines: string[], unified: string): string[] {
  const out: string[] = [];
  let at = 0;
  for (const row of unified.split("\n").slice(0, -1)) {
    const head = /^@@ -(\d+),(\d+) /.exec(row);
    if (head) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      while (at < start) out.push(lines[at++] ?? "");
    } else if (row.startsWith("+")) out.push(row.slice(1));
    else {
      expect(lines[at]).toBe(row.slice(1));
      if (row.startsWith(" ")) out.push(row.slice(1));
      at += 1;
    }
  }
  return [...out, ...lines.slice(at)];
}

/** By the textbook's table. */
function commonLength(one: string[], other: string[]): number {
  const table = [...one, ""].map(() => [...other, ""].map(() => 0));
  const at = (x: number, y: number): number => table[x]?.[y] ?? 0;
  for (let x = 1; x <= one.length; x += 1)
    for (let y = 1; y <= other.length; y += 1) {
      const row = table[x] ?? [];
      row[y] = one[x - 1] === other[y - 1] ? at(x - 1, y - 1) + 1 : Math.max(at(x - 1, y), at(x, y - 1));
    }
  return at(one.length, other.length);
}
