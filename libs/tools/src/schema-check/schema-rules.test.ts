import type { Json, JsonObject } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { COMMON_RULES } from "./fixtures/common-rules.ts";
import type { Rule } from "./fixtures/rule.ts";
import {
  RULES_OF_2019,
  RULES_OF_BUNDLES,
  RULES_OF_GENERATORS,
  RULES_OF_OLD_TUPLES,
} from "./fixtures/rules-of-generators.ts";
import { RULES_OF_2020, RULES_OF_7 } from "./fixtures/rules-by-draft.ts";
import { inspectSchema } from "./inspect-schema.ts";

const DRAFTS: Record<string, { $schema?: string; rules: Rule[] }> = {
  "2020-12": { rules: [...COMMON_RULES, ...RULES_OF_2020] },
  "2019-09": {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    rules: [...COMMON_RULES, ...RULES_OF_2019, ...RULES_OF_GENERATORS, ...RULES_OF_BUNDLES],
  },
  "2020-12 as generators write it": {
    rules: [...RULES_OF_GENERATORS, ...RULES_OF_BUNDLES, ...RULES_OF_OLD_TUPLES],
  },
  "7": {
    $schema: "http://json-schema.org/draft-07/schema#",
    rules: [...COMMON_RULES, ...RULES_OF_7, ...RULES_OF_GENERATORS, ...RULES_OF_BUNDLES],
  },
};

describe.each(Object.entries(DRAFTS))("[R37] arguments by a schema of draft %s", (_, { rules, ...named }) => {
  test.each(rules)("$rule", ({ rule, schema, valid, invalid }) => {
    const parameters = { ...named, type: "object", ...schema } as JsonObject;
    const inspection = inspectSchema(parameters, "parameters");
    const checker = new JobChecker(1);
    expect(checker.check({ kind: "schema", place: "parameters", schema: parameters, inspection })).toEqual({
      faults: [],
      warnings: [],
    });
    // Few steps are checked for all faults, many for the first alone.
    const placesOf = (value: unknown, steps: number) => {
      const job = { root: "arguments", key: rule, schema: parameters } as const;
      const { faults } = checker.check({ kind: "value", ...job, inspection, value: value as Json, steps });
      return faults.map(({ path }) => path);
    };
    for (const value of valid)
      for (const steps of [1, Infinity]) expect(placesOf(value, steps), JSON.stringify(value)).toEqual([]);
    for (const [value, path] of invalid) {
      expect(placesOf(value, 1), JSON.stringify(value)).toContain(path);
      expect(placesOf(value, Infinity), JSON.stringify(value)).not.toEqual([]);
    }
  });
});
