import * as fc from "fast-check";
import { expect, it } from "vitest";
import { CODE_FAULTS_MAX, FAULT_MESSAGE_LENGTH_MAX } from "./bounds.ts";
import { checkCode } from "./check-code.ts";
import { CODE_RULES } from "./code-fault.ts";

const PIECES =
  "process require import export constructor __proto__ globalThis eval Function with this class extends static function async await yield let const var for of in if else switch case default try catch return new typeof delete => ( ) [ ] { } ` ${ . ?. , ; : = + - * / ... ? ?? && || ! # a b args \\u0070 'x' \"y\" 1 0n /x/ // /* */ <!-- \n \r\n \u2028 \0 \ud800 é 𝒳 @".split(
    / /u,
  );

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(" ")),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
);

it("any text gets faults within the bounds, at places that it has", () => {
  fc.assert(
    fc.property(text, (code) => {
      const faults = checkCode(code);
      const lines = code.split(/\r\n|[\n\r\u2028\u2029]/u);
      expect(faults.length).toBeLessThanOrEqual(CODE_FAULTS_MAX);
      for (const { line, column, rule, message } of faults) {
        expect(CODE_RULES).toContain(rule);
        expect(message.length).toBeLessThanOrEqual(FAULT_MESSAGE_LENGTH_MAX + 1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 2);
        expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});

it("text repeated any number of times is answered", () => {
  const piece = fc.constantFrom(
    ...PIECES,
    "a=>",
    "a?b:",
    "if(a)",
    "[a",
    "{a:",
    "`${",
    "(?<a>)",
    "var a;",
    "new a ",
  );
  fc.assert(
    fc.property(
      piece,
      fc.integer({ min: 1, max: 20_000 }),
      fc.constantFrom("", "/", "return "),
      (one, times, before) => {
        expect(checkCode(before + one.repeat(times)).length).toBeLessThanOrEqual(CODE_FAULTS_MAX);
      },
    ),
  );
});

const NAME = fc.constantFrom("process", "require", "global", "other");
/** Programs that compile, in which a name is declared around its use or not. */
const program = fc.tuple(NAME, NAME, fc.nat(5)).map(([declared, used, kind]) => ({
  code: [
    `function f(${declared}) { return () => ${used}; }`,
    `{ let ${declared} = 1; ${used}; }`,
    `{ { ${used}; } var ${declared}; }`,
    `try { } catch (${declared}) { { ${used}; } }`,
    `for (const ${declared} of []) ${used};`,
    `(class ${declared} { m() { ${used}; } });`,
  ][kind],
  declared,
  used,
}));

it("a name is an offence exactly when the tool does not declare it", () => {
  fc.assert(
    fc.property(program, ({ code = "", declared, used }) => {
      const expected = used === "other" || used === declared ? [] : [used];
      expect(checkCode(code).map(({ rule }) => rule)).toEqual(expected);
    }),
  );
});
