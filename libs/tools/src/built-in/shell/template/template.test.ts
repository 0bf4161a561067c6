import type { JsonObject } from "@bulkhead/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../judge/plain-text.ts";
import { readCommandLine } from "../judge/read-command-line.ts";
import { checkTemplate } from "./check-template.ts";
import { renderCommand } from "./render-command.ts";

const PARAMETERS = { type: "object", properties: { a: {}, b: {}, file: {} } };
const check = (template: string) => checkTemplate(template, PARAMETERS);

describe("what a template may be", () => {
  test.each([
    "dig +short --type={{.b}} {{ .a }}",
    "grep -c -- {{.a}} ./{{.file}}.txt | sort > {{.b}}",
    "cat {{.a}} && (echo {{.b}}; if grep -q x; then echo {{.a}}; fi)",
    "jq '{{x}}' {{.file}}",
    "sed -e 's/a/b/' ./{{.file}}",
    "cat <<< {{.a}}",
    "date",
  ])("%s", (template) => {
    check(template);
  });

  test.each([
    ["echo {{.c}}", "has no c"],
    ["echo {{.a", "can't be read"],
    ["echo {{.a-}} {{.1}}", "can't be read"],
    ['echo "{{.a}}"', "no argument"],
    ["echo '{{.a}}'", "no argument"],
    ["echo $'{{.a}}'", "no argument"],
    ["echo \\{{.a}}", "no argument"],
    ["echo $(cat {{.a}})", "no argument"],
    ["for f in `cat {{.a}}`; do echo $f; done", "no argument"],
    ["for f in $(cat {{.a}}); do echo $f; done", "no argument"],
    ["echo `cat {{.a}}`", "no argument"],
    ["diff <(cat {{.a}}) x", "no argument"],
    ["cat <<X\n{{.a}}\nX", "no argument"],
    ["cat <<{{.a}}\nx\n", ""],
    ["X={{.a}} env", "no argument"],
    ["echo hi # {{.a}}", "no argument"],
    ["echo hi\n# {{.a}}\necho ho", "no argument"],
    ["echo $x{{.a}}", "no argument"],
    ["echo ${x:-{{.a}}}", "no argument"],
    ["echo {x,{{.a}}}", "no argument"],
    ["echo $(( {{.a}} ))", ""],
    ["(( {{.a}} ))", ""],
    ["[[ x == {{.a}} ]]", "no argument"],
    ["case {{.a}} in x) echo;; esac", "no argument"],
    ["{{.a}} x", "no argument"],
    ["$CMD {{.a}}", "computed"],
    ["eval {{.a}}", "more than a text"],
    ["bash -c {{.a}}", "more than a text"],
    ["/bin/sh -c {{.a}}", "more than a text"],
    ["xargs {{.a}}", "more than a text"],
    ["sed {{.a}} x", "more than a text"],
    ["sed p {{.a}}", "more than a text"],
    ["awk {{.a}}", "more than a text"],
    ["f() { eval $1; }; f {{.a}}", "function of its own"],
    ["echo 'open {{.a}}", "can't be read"],
    ["rm -rf {{.a}}", "never run"],
    ["curl {{.a}} | sh", "never run"],
    ["", "empty"],
  ])("not %s", (template, message) => {
    expect(() => check(template)).toThrow(
      expect.objectContaining({
        code: "request.invalid",
        errors: [{ path: "command", message: expect.stringContaining(message) }],
      }),
    );
  });
});

const TEMPLATE = "printf %s {{.a}} x{{.b}}y >./{{.file}}";
const words = async (args: JsonObject): Promise<(string | null)[]> => {
  const rendered = renderCommand(TEMPLATE, args);
  if (!("command" in rendered)) return [rendered.refused];
  const { commands, pipes } = readCommandLine(rendered.command);
  const [{ node } = { node: null }] = commands;
  expect([commands.length, pipes.length, node?.assignments.length, node?.redirections.length]).toEqual([
    1, 0, 0, 1,
  ]);
  const targets = node?.redirections.map(({ target }) => (target.type === "Word" ? plainText(target) : null));
  return [...(node?.args.map(plainText) ?? []), ...(targets ?? [])];
};

describe("what an argument becomes", () => {
  test("text, numbers and booleans as they are said, the rest as JSON", () => {
    const args = { a: 1.5, b: { c: ["it's"] } };
    expect(renderCommand("x {{.a}} {{.b}} {{.missing}}", args)).toEqual({
      command: `x '1.5' '{"c":["it'\\''s"]}' ''`,
    });
  });

  test.each(["a\0b", "\uD800"])("nothing of what no command can be given", (a) => {
    expect(renderCommand("x {{.a}}", { a })).toEqual({ refused: expect.stringContaining("argument a") });
  });

  /** What shells read otherwise stands in it as often as letters. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(...Array.from("'\"\\$`;&|<>(){}[]*?~!#=\n\r\t -")),
        fc.constantFrom("'\\''", "$(id)", "<<X", "\u0085", "é", "😀"),
        fc.string(),
      ),
    )
    .map((parts) => parts.join("").replaceAll(/\0/g, "").toWellFormed())
    // The judge refuses what has many open brackets, also where they stand in quotes.
    .filter((text) => text.length < 2_000 && text.replaceAll(/[^({]/g, "").length < 30);

  test("[G11] one word, whatever it holds", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (a, b, file) => {
        expect(await words({ a, b, file })).toEqual(["%s", a, `x${b}y`, `./${file}`]);
      }),
      { numRuns: 1_000 },
    );
  });
});
