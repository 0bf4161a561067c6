import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sample, shuffle } from "./lists.ts";
import { randomInt } from "./numbers.ts";
import { randomBelow } from "./randomness.ts";
import { generatePassword } from "./secrets.ts";

const asked: string[] = [];
let bytes = (count: number): Buffer => randomBytes(count);
vi.mock("../bridge.ts", () => ({
  ask: (operation: string, text: string) => {
    asked.push(`${operation} ${text}`);
    return bytes(Number(text)).toString("base64");
  },
}));
beforeEach(() => {
  asked.length = 0;
});

/** Six standard deviations: wrong once in 500 million runs. */
const isFair = (counts: Map<unknown, number>, kinds: number, draws: number): boolean => {
  const expected = draws / kinds;
  const spread = 6 * Math.sqrt(expected * (1 - 1 / kinds));
  return counts.size === kinds && [...counts.values()].every((count) => Math.abs(count - expected) < spread);
};
const tally = (draws: number, draw: () => unknown): Map<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (let i = 0; i < draws; i++) {
    const drawn = draw();
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  }
  return counts;
};

describe("randomness", () => {
  it("comes from the host in portions of a known size", () => {
    while (asked.length < 2) randomBelow(10);
    expect(asked).toEqual(["random 256", "random 256"]);
    expect(shuffle(Array.from({ length: 200_000 }, (_, i) => i))).toHaveLength(200_000);
    expect(asked).toContain("random 65536");
  });

  it("draws again what would favour some", () => {
    const words = [0xffff_ffff, 0xffff_fffe, 7];
    while (asked.length === 0) randomBelow(2 ** 32);
    // Use up what is stored, so that the next words are these.
    for (let i = 1; i < 64; i++) randomBelow(2 ** 32);
    bytes = (count) => Buffer.from(new Uint32Array(count / 4).map((_, i) => words[i] ?? 1).buffer);
    // 2^32 - 2 is the largest multiple of 6 below 2^32 … plus 4: the first two words are beyond it.
    expect(randomBelow(6)).toBe(1);
    bytes = (count) => randomBytes(count);
  });

  it("that the host refuses is an error, never a weak number", () => {
    bytes = () => Buffer.alloc(0);
    expect(() => {
      for (;;) randomBelow(10);
    }).toThrow("randomness is not available");
    bytes = (count) => randomBytes(count);
  });
});

describe("randomInt", () => {
  it("gives each number of the range, both ends included, equally often", () => {
    expect(
      isFair(
        tally(20_000, () => randomInt(-3, 3)),
        7,
        20_000,
      ),
    ).toBe(true);
    expect(
      isFair(
        tally(40_000, () => randomInt()),
        101,
        40_000,
      ),
    ).toBe(true);
  });

  it("reaches ranges beyond 32 bits", () => {
    const max = Number.MAX_SAFE_INTEGER;
    const drawn = Array.from({ length: 64 }, () => randomInt(0, max));
    expect(drawn.every((one) => Number.isSafeInteger(one) && one >= 0)).toBe(true);
    expect(drawn.some((one) => one > 2 ** 51)).toBe(true);
    expect(randomInt(max, max)).toBe(max);
  });

  it.each([
    [5, 4, "utils.randomInt: min (5) must not be above max (4)"],
    [101, undefined, "utils.randomInt: min (101) must not be above max (100)"],
    [0.5, 1, "utils.randomInt: min must be a whole number"],
    [0, Infinity, "utils.randomInt: max must be a whole number"],
    ["1", 2, "utils.randomInt: min must be a number"],
    [-1, Number.MAX_SAFE_INTEGER, "utils.randomInt: max is more than 2^53 - 1 above min"],
  ])("refuses %s to %s", (min, max, message) => {
    expect(() => randomInt(min as number, max)).toThrow(message);
  });
});

describe("shuffle and sample", () => {
  const arr = ["a", "b", "c"];
  it("make every order equally likely, on a copy", () => {
    expect(
      isFair(
        tally(12_000, () => shuffle(arr).join("")),
        6,
        12_000,
      ),
    ).toBe(true);
    expect(
      isFair(
        tally(12_000, () => sample(arr, 2).join("")),
        6,
        12_000,
      ),
    ).toBe(true);
    expect(arr).toEqual(["a", "b", "c"]);
  });

  it.each([
    [undefined, 1],
    [0, 0],
    [3, 3],
    [9, 3],
  ])("sample of %s has %d items, none twice", (n, expected) => {
    expect(new Set(sample(arr, n)).size).toBe(expected);
    expect(sample(arr, n)).toHaveLength(expected);
  });

  it("take empty lists and refuse what is no list or count", () => {
    expect([shuffle([]), sample([])]).toEqual([[], []]);
    expect(() => shuffle("ab" as unknown as string[])).toThrow("utils.shuffle: arr must be an array");
    expect(() => sample(arr, -1)).toThrow("utils.sample: n must be a whole number");
  });
});

describe("generatePassword", () => {
  it("has 16 characters, of every kind", () => {
    for (let i = 0; i < 50; i++) {
      const password = generatePassword();
      expect(password).toHaveLength(16);
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]) expect(password).toMatch(kind);
      expect(password).toMatch(/^[!-~]+$/);
      expect(password).not.toMatch(/["'`\\]/);
    }
    expect(new Set(Array.from({ length: 50 }, () => generatePassword())).size).toBe(50);
  });

  it("uses every character equally often", () => {
    const counts = tally(45, () => "");
    counts.clear();
    for (const char of Array.from({ length: 20 }, () => generatePassword(1_024)).join(""))
      counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(isFair(counts, 86, 20_480)).toBe(true);
  });

  it.each([1, 8, 1_024])("may have %d characters", (length) => {
    expect(generatePassword(length)).toHaveLength(length);
  });
  it.each([0, 1_025, 1.5, -1])("can't have %d", (length) => {
    expect(() => generatePassword(length)).toThrow(
      "utils.generatePassword: length must be a whole number from 1 to 1024",
    );
  });
});
