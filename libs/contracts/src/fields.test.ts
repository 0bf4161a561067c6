import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ExecuteTool } from "./calls.ts";
import { ToolQuery } from "./catalogue.ts";
import { displayedName, reason, wholeNumber } from "./fields.ts";
import { CreateSchedule } from "./schedules.ts";
import { CreateApiKey, CreateTenant, UpdateTenant } from "./tenants.ts";
import { readInput } from "./read-input.ts";
import { RequiredConfigService } from "./required-services.ts";
import { CreateConfigService } from "./config-services.ts";
import { UsageQuery } from "./usage.ts";
import { VersionQuery } from "./versions.ts";

/** Paths of what is wrong with it, or what was read. */
function read(schema: z.ZodType, input: unknown): unknown {
  const { value, faults } = readInput(schema, input);
  return faults?.map(({ path }) => path) ?? value;
}

test("an object of any JSON is passed on as it is, however many names it has", () => {
  const given = {
    arguments: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`name${at}`, at])),
  };
  expect(readInput(ExecuteTool, given).value?.arguments).toBe(given.arguments);
});

describe("a number in a path or a query", () => {
  test.each([
    "0x10",
    "0b11",
    "0o7",
    "1e1",
    "+1",
    "-1",
    "\n5",
    " 5",
    "5 ",
    "05",
    "1.0",
    "1_0",
    "",
    "٣",
    "Infinity",
  ])("is not written as %j", (written) => {
    expect(read(ToolQuery, { limit: written })).toEqual(["limit"]);
    expect(read(ToolQuery, { offset: written })).toEqual(["offset"]);
    expect(read(UsageQuery, { limit: written })).toEqual(["limit"]);
    expect(read(VersionQuery, { cursor: written })).toEqual(["cursor"]);
  });

  test("is read where it stands in plain digits, and bounded", () => {
    const messageOf = (input: unknown) => readInput(wholeNumber(1, 10), input).faults?.[0]?.message;
    expect(wholeNumber(0, 10).parse("0")).toBe(0);
    expect(wholeNumber(1, 10).parse("10")).toBe(10);
    expect(messageOf("11")).toBe("must be at most 10");
    expect(messageOf("9".repeat(400))).toBeDefined();
    expect(messageOf("1e1")).toMatch(/in decimal digits/);
    expect(read(ToolQuery, {})).toMatchObject({ limit: 50, offset: 0 });
    expect(read(ToolQuery, { limit: ["1", "2"] })).toEqual(["limit"]);
  });

  test("is a bounded integer in the reference", () => {
    expect(z.toJSONSchema(wholeNumber(1, 10), { io: "input" })).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 10,
    });
  });
});

describe("a name for people", () => {
  const slug = "a-slug";
  test.each<[string, z.ZodType, object, string]>([
    ["a new tenant", CreateTenant, { slug }, "name"],
    ["a tenant", UpdateTenant, {}, "name"],
    ["a key", CreateApiKey, { role: "viewer" }, "name"],
    ["a schedule", CreateSchedule, { tool: "t", everyMs: 86_400_000 }, "name"],
    ["a service", CreateConfigService, { name: "s" }, "displayName"],
    ["a service that a tool requires", RequiredConfigService, { name: "s" }, "displayName"],
  ])("of %s is not blank", (_of, schema, rest, field) => {
    for (const blank of ["", "   ", "\t\n", "\u00a0"])
      expect(read(schema, { ...rest, [field]: blank })).toContain(field);
    expect(read(schema, { ...rest, [field]: " Müller & Co " })).toMatchObject({ [field]: " Müller & Co " });
  });

  test("is of the length that is told", () => {
    expect(displayedName(3).safeParse("abcd").success).toBe(false);
  });
});

test("a reason is a text of people's, without the space around it", () => {
  expect(read(reason, "  not this one:\r\n\tit mails ")).toBe("not this one:\r\n\tit mails");
  expect(read(reason, ` ${"x".repeat(1_000)} `)).toBe("x".repeat(1_000));
  for (const bad of ["", " \n ", "x".repeat(1_001), "\0", "a\x1b[31m", "a\x9b", "\ud800", 1, null])
    expect(readInput(reason, bad).faults).toHaveLength(1);
});

test("a page of usage begins behind a day that there is", () => {
  expect(read(UsageQuery, { cursor: "2026-99-99~" })).toEqual(["cursor"]);
  expect(read(UsageQuery, { cursor: "2026-02-29~" })).toEqual(["cursor"]);
  expect(read(UsageQuery, { cursor: "exe_1" })).toEqual(["cursor"]);
  for (const cursor of ["2028-02-29~", "~", "2026-11-23~tool_0123456789abcdef", undefined]) {
    expect(read(UsageQuery, { cursor })).toMatchObject({ groupBy: "day,tool" });
  }
});
