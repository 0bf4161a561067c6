import { RUN_LIMITS_DEFAULT } from "@bulkhead/core";
import { describe, expect, it } from "vitest";
import type { AbuseRow, RowDetails } from "./abuse-row.ts";
import { chosenRows, limitsOf } from "./chosen-rows.ts";

const row = (name: string, ends: AbuseRow[2], details: RowDetails = {}): AbuseRow => [
  name,
  "",
  ends,
  details,
];
const named = (count: number, name: string): AbuseRow[] =>
  Array.from({ length: count }, (_, at) => row(`${name} ${at}`, "cpu"));
const namesOf = (rows: AbuseRow[]): string[] => rows.map(([name]) => name);

describe("the rows of a quick run", () => {
  it("are every fortieth of the whole table and the first of each family", () => {
    expect(namesOf(chosenRows({ loops: named(42, "loop"), built_ins: named(40, "built-in") }))).toEqual([
      "loop 0",
      "loop 40",
      "built-in 0",
      "built-in 38",
    ]);
  });

  it("show every outcome and layer that the table names, by the row that names the fewest", () => {
    const rows = [
      ...named(1, "loop"),
      row("vague", ["memory", "wall", "cpu"]),
      row("sure", "memory"),
      row("slow", ["wall", "cpu"]),
      row("by the kernel", "cpu", { by: ["system"] }),
    ];
    expect(namesOf(chosenRows({ rows }))).toEqual(["loop 0", "sure", "slow", "by the kernel"]);
  });

  it("are none of an empty family, and each but once", () => {
    expect(namesOf(chosenRows({ none: [], one: [row("one", ["cpu", "wall"])] }))).toEqual(["one"]);
  });
});

describe("a row's limits", () => {
  const suite = { cpuMs: 100, wallMs: 200, memoryMib: 32 };

  it("are the suite's, then its own, where they may end it", () => {
    expect(limitsOf(row("x", ["cpu", "wall"], { limits: { wallMs: 300 } }), suite)).toEqual({
      ...RUN_LIMITS_DEFAULT,
      cpuMs: 100,
      wallMs: 300,
      memoryMib: 32,
    });
  });

  it("of time are out of reach where they may not", () => {
    expect(limitsOf(row("x", "cpu"), suite)).toMatchObject({ cpuMs: 100, wallMs: 60_000 });
    expect(limitsOf(row("x", "wall"), suite)).toMatchObject({ cpuMs: 20_000, wallMs: 200 });
    expect(limitsOf(row("x", "returned", { limits: { cpuMs: 50 } }), suite)).toMatchObject({
      cpuMs: 20_000,
      wallMs: 60_000,
    });
  });
});
