import { readFileSync } from "node:fs";
import type { InputFault, Json, JsonObject } from "@bulkhead/core";
import { everyNth, isNightly } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { REFUSED } from "./fixtures/official-suite/refused.ts";
import { inspectSchema } from "./inspect-schema.ts";

/** A group of tests of one schema. */
interface Group {
  file: string;
  group: string;
  schema: JsonObject | boolean;
  tests: { test: string; data: Json; valid: boolean }[];
}

/** The share of right answers among tests that are not refused. */
const RIGHT_MIN = 0.995;
/** How many tests are not refused, of 3,485. */
const ASKED_MIN = 3_300;
/** Formats of the suite that are checked in 2020-12. */
const FORMATS_CHECKED = 15;
/** By day every tenth group of an older draft is tried. */
const OLDER_NTH = 10;
const DRAFTS: Record<string, string | undefined> = {
  "2020-12": undefined,
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "7": "http://json-schema.org/draft-07/schema#",
};

function readGroups(draft: string): Group[] {
  const text = readFileSync(new URL(`./fixtures/official-suite/${draft}.jsonl`, import.meta.url), "utf8");
  const groups = text
    .trimEnd()
    .split("\n")
    .map((line): Group => JSON.parse(line));
  return draft === "2020-12" ? groups : everyNth(groups, OLDER_NTH);
}

/**
 * A schema of the suite as a tool's: any other value becomes an object, and the draft is named if it isn't the usual one.
 */
function asTools(schema: JsonObject | boolean, draft: string | undefined): JsonObject {
  const own = typeof schema === "boolean" ? { allOf: [schema] } : schema;
  return draft === undefined ? own : { $schema: draft, ...own };
}

function refusalOf(schema: JsonObject): InputFault | undefined {
  const inspection = inspectSchema(schema, "outputSchema");
  if (inspection.faults.length > 0) return inspection.faults[0];
  return new JobChecker(1).check({ kind: "schema", place: "outputSchema", schema, inspection }).faults[0];
}

function isTaken(checker: JobChecker, schema: JsonObject, value: Json): boolean {
  const inspection = inspectSchema(schema, "outputSchema");
  const job = { kind: "value", root: "result", key: "one", schema, inspection, value, steps: 1 } as const;
  return checker.check(job).faults.length === 0;
}

interface Judged {
  /** `file: group`. */
  groups: Set<string>;
  asked: number;
  /** `file: group: words of the refusal`. */
  refused: string[];
  /** `file: group: test`. */
  wrong: string[];
}

function judge(name: string, draft: string | undefined): Judged {
  const judged: Judged = { groups: new Set(), asked: 0, refused: [], wrong: [] };
  for (const { file, group, schema: said, tests } of readGroups(name)) {
    judged.groups.add(`${file}: ${group}`);
    const schema = asTools(said, draft);
    const refusal = refusalOf(schema);
    if (refusal) {
      const words = Object.keys(REFUSED).find((one) => refusal.message.includes(one)) ?? refusal.message;
      judged.refused.push(`${file}: ${group}: ${words}`);
      continue;
    }
    const checker = new JobChecker(1);
    judged.asked += tests.length;
    for (const { test: about, data, valid } of tests)
      if (isTaken(checker, schema, data) !== valid) judged.wrong.push(`${file}: ${group}: ${about}`);
  }
  return judged;
}

describe("[R37] the official suite's required tests", () => {
  const byDraft = new Map<string, Judged>();
  /** Each draft is judged once, by the first test that asks. */
  const judgedOf = (name: string): Judged => {
    const judged = byDraft.get(name) ?? judge(name, DRAFTS[name]);
    byDraft.set(name, judged);
    return judged;
  };

  test.each(Object.keys(DRAFTS))("of draft %s: those groups are refused that are listed", (name) => {
    const { groups, refused } = judgedOf(name);
    const listed = Object.entries(REFUSED).flatMap(([words, places]) =>
      places
        .filter(
          ([drafts, file, group]) => drafts.split(" ").includes(name) && groups.has(`${file}: ${group}`),
        )
        .map(([, file, group]) => `${file}: ${group}: ${words}`),
    );
    expect(refused.toSorted()).toEqual(listed.toSorted());
  });

  test.each(Object.keys(DRAFTS))("of draft %s: all others are right but formats that are checked", (name) => {
    const { wrong } = judgedOf(name);
    // 2020-12 leaves it to the reader of a schema whether formats are checked, and the suite takes it that they are not.
    const formats = wrong.filter((one) => /^format\.json: .*: .*only an annotation by default$/.test(one));
    expect(wrong).toEqual(formats);
    expect(formats).toHaveLength(name === "2020-12" ? FORMATS_CHECKED : 0);
  });

  test.runIf(isNightly)(
    `of all drafts: at least ${RIGHT_MIN * 100} % of what is not refused is right`,
    () => {
      const all = Object.keys(DRAFTS).map(judgedOf);
      const asked = all.reduce((sum, one) => sum + one.asked, 0);
      const wrong = all.reduce((sum, one) => sum + one.wrong.length, 0);
      expect(asked).toBeGreaterThan(ASKED_MIN);
      expect((asked - wrong) / asked).toBeGreaterThanOrEqual(RIGHT_MIN);
    },
  );
});
