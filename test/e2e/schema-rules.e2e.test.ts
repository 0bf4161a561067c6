import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { COMMON_RULES } from "../support/schema-rules/common-rules.ts";
import type { Rule } from "../support/schema-rules/rule.ts";
import { RULES_OF_2020, RULES_OF_7 } from "../support/schema-rules/rules-by-draft.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const DRAFTS: Record<string, { $schema?: string; rules: Rule[] }> = {
  "2020-12": { rules: [...COMMON_RULES, ...RULES_OF_2020] },
  "7": { $schema: "http://json-schema.org/draft-07/schema#", rules: [...COMMON_RULES, ...RULES_OF_7] },
};

describe.each(Object.entries(DRAFTS))(
  "[R37] arguments by a schema of draft %s",
  (draft, { rules, ...named }) => {
    test.each(rules.map((one, at) => ({ ...one, name: `rule_${draft.replace("-", "_")}_${at}` })))(
      "$rule",
      async ({ name, schema, valid, invalid }) => {
        await createTool(owner, name, "return args;", {
          parameters: { ...named, type: "object", ...schema },
        });
        const run = (value: unknown) =>
          owner.post(`/api/v1/custom-tools/${name}/execute`, { arguments: value });
        for (const value of valid) {
          const { status, body } = await run(value);
          expect([status, body.data?.result], JSON.stringify(body.errors)).toEqual([200, value]);
        }
        for (const [value, path] of invalid) {
          const { status, body } = await run(value);
          expect([status, body.code], JSON.stringify(value)).toEqual([400, "tool.arguments_invalid"]);
          expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
        }
      },
    );
  },
);
