import { expect, test } from "vitest";
import { given } from "./given.ts";

interface Deps {
  rate: number;
}
const convert = ({ rate }: Deps, amount: number, unit = "EUR") => `${rate * amount} ${unit}`;
const describeRate = ({ rate }: Pick<Deps, "rate">) => `at ${rate}`;

test("a use case is called with what it stands on, and then with what is asked", () => {
  const used = given({ rate: 2, more: true }, { convert, describeRate });
  expect([used.convert(3), used.convert(3, "CHF"), used.describeRate()]).toEqual(["6 EUR", "6 CHF", "at 2"]);
});

test("a use case is not given without what it stands on", () => {
  // @ts-expect-error: the rate is missing.
  const used: { convert: unknown } = given({ more: true }, { convert });
  expect(used.convert).toBeInstanceOf(Function);
});
