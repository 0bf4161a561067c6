import { declareMember } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { typesFile } from "./types-file.ts";

const CHARS_MAX = 4_000;

describe("a file of types", () => {
  const write = (members: string[], omitted: number, charsMax?: number) =>
    typesFile(
      {
        json: Buffer.from(JSON.stringify(members.map((member) => ({ member })))),
        count: members.length,
        omitted,
      },
      charsMax,
    );

  test("has a member for each tool, whatever its name", () => {
    const schemas = { parameters: {}, outputSchema: { type: "boolean" } };
    const members = ["new", "API-post"].map((name) =>
      declareMember({ name, description: "Ends */ it.", ...schemas }, CHARS_MAX),
    );
    expect(write(members, 0))
      .toBe(`// The arguments and results of tools, for those who call them: BulkheadTools["name"]["arguments"].
interface BulkheadTools {
  /** Ends * / it. */
  new: {
    arguments: Record<string, unknown>;
    result: boolean;
  };
  /** Ends * / it. */
  "API-post": {
    arguments: Record<string, unknown>;
    result: boolean;
  };
}
`);
  });

  test("ends at its bound, and counts what it leaves out", () => {
    expect(write(["  a: 1;", "  b: 2;", "  c: 3;"], 4, 20)).toContain(
      "  b: 2;\n  // Left out, since all together are too long: 5 tools.\n}",
    );
  });
});
