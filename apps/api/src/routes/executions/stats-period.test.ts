import { expect, test } from "vitest";
import { statsPeriod } from "./stats-period.ts";

const NOW = new Date("2026-11-26T09:30:15.500Z");

test("a period that is left out are the last 24 buckets, the one that goes on included", () => {
  expect(statsPeriod({ bucket: "hour" }, NOW)).toEqual({ from: new Date("2026-11-25T10:00:00Z"), to: NOW });
  expect(statsPeriod({ bucket: "minute" }, NOW).from).toEqual(new Date("2026-11-26T09:07:00Z"));
  expect(statsPeriod({ bucket: "day", to: "1970-01-02T00:00:00Z" }, NOW).from).toEqual(new Date(0));
});

test("500 buckets are answered, and one more names the field and what to do", () => {
  const period = (minutes: number) => ({
    bucket: "minute" as const,
    from: "2026-11-01T00:00:00Z",
    to: new Date(Date.parse("2026-11-01T00:00:00Z") + minutes * 60_000).toISOString(),
  });
  expect(statsPeriod(period(500), NOW).to).toEqual(new Date("2026-11-01T08:20:00Z"));
  const refused = {
    code: "request.invalid",
    errors: [{ path: "bucket", message: /500 .*501.*longer ones/ }],
  };
  expect(() => statsPeriod(period(501), NOW)).toThrow(
    expect.objectContaining({
      code: refused.code,
      errors: [{ path: "bucket", message: expect.stringMatching(/500.*501.*longer/) }],
    }),
  );
  // One that begins within a bucket has a part of it.
  expect(() => statsPeriod({ ...period(500), from: "2026-10-31T23:59:59Z" }, NOW)).toThrow();
});

test("a period that begins after now names its beginning", () => {
  expect(() => statsPeriod({ bucket: "hour", from: "2027-01-01T00:00:00Z" }, NOW)).toThrow(
    expect.objectContaining({ errors: [{ path: "from", message: "must not be in the future" }] }),
  );
});
