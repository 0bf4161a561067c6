import {
  DRY_RUN_EFFECTS_MAX,
  DRY_RUN_RESULT_CHARS_MAX,
  DRY_RUNS_MAX,
  EVIDENCE_EFFECTS_MAX,
  EVIDENCE_RESULTS_CHARS_MAX,
  type DryRun,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { boundDryRuns } from "./bound-dry-runs.ts";

const run = (fields: Partial<DryRun> = {}): DryRun => ({
  executionId: "exe_1",
  arguments: {},
  generated: true,
  status: "succeeded",
  result: null,
  truncated: false,
  error: null,
  effects: [],
  createdAt: new Date(0),
  ...fields,
});
const fetches = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ kind: "fetch" as const, target: `GET /${from + n}` }));
const MORE = { kind: "fetch", target: "(and more)" };

describe("the dry runs that the evidence shows", () => {
  test("are as they were stored where all together are small", () => {
    const all = [run({ result: { a: "x".repeat(1_000) } }), run({ effects: fetches(0, 3) })];
    expect(boundDryRuns(all)).toEqual({ dryRuns: all, seen: fetches(0, 3) });
    expect(boundDryRuns([])).toEqual({ dryRuns: [], seen: [] });
  });

  test("have large results cut to one size, small ones whole, and what is cut says so", () => {
    const stored = run({ result: "y".repeat(DRY_RUN_RESULT_CHARS_MAX), truncated: true });
    const whole = run({ result: { list: ["z".repeat(DRY_RUN_RESULT_CHARS_MAX - 20)] } });
    const small = run({ result: { n: 7 } });
    const all = [small, ...Array.from({ length: DRY_RUNS_MAX - 2 }, () => stored), whole];
    const { dryRuns } = boundDryRuns(all);
    expect(dryRuns).toHaveLength(DRY_RUNS_MAX);
    expect(dryRuns[0]).toEqual(small);
    const cut = dryRuns.slice(1);
    expect(new Set(cut.map(({ result }) => (result as string).length)).size).toBe(1);
    expect(cut.every(({ truncated }) => truncated)).toBe(true);
    expect(dryRuns.at(-1)?.result).toMatch(/^\{"list":\["zzz/);
    const chars = dryRuns.reduce((sum, { result }) => sum + (JSON.stringify(result).length - 2), 0);
    expect(chars).toBeLessThanOrEqual(EVIDENCE_RESULTS_CHARS_MAX + DRY_RUNS_MAX);
    expect(chars).toBeGreaterThan(EVIDENCE_RESULTS_CHARS_MAX * 0.9);
  });

  test("have many effects cut, each kind with word that there were more", () => {
    const many = [...fetches(0, DRY_RUN_EFFECTS_MAX), { kind: "call_tool" as const, target: "other" }];
    const all = Array.from({ length: DRY_RUNS_MAX }, () => run({ effects: many }));
    const { dryRuns } = boundDryRuns([run({ effects: fetches(0, 2) }), ...all]);
    expect(dryRuns[0]?.effects).toEqual(fetches(0, 2));
    expect(dryRuns[1]?.effects.slice(-2)).toEqual([MORE, { kind: "call_tool", target: "(and more)" }]);
    const shown = dryRuns.reduce((sum, { effects }) => sum + effects.length, 0);
    expect(shown).toBeLessThanOrEqual(EVIDENCE_EFFECTS_MAX);
  });

  test("are seen together with each effect once, so many of each kind, and no kind hides another", () => {
    const late = { kind: "service" as const, target: "weather" };
    const { seen } = boundDryRuns([
      run({ effects: fetches(0, DRY_RUN_EFFECTS_MAX) }),
      run({ effects: [...fetches(5, DRY_RUN_EFFECTS_MAX), late] }),
    ]);
    expect(seen).toEqual([...fetches(0, DRY_RUN_EFFECTS_MAX), MORE, late]);
  });
});
