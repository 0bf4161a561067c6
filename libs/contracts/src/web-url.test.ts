import { expect, test } from "vitest";
import type { z } from "zod";
import { CreateConfigService, UpdateConfigService } from "./config-services.ts";
import { readInput } from "./read-input.ts";
import { RequiredApiKey, RequiredConfigService } from "./required-services.ts";

const SCHEMAS = { CreateConfigService, UpdateConfigService, RequiredApiKey, RequiredConfigService };

const faultsOf = (schema: keyof typeof SCHEMAS, docsUrl: unknown) => {
  const body = { ...(schema === "UpdateConfigService" ? {} : { name: "weather" }), docsUrl };
  return readInput(SCHEMAS[schema] as z.ZodType, body).faults ?? [];
};

const NAMES = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];

test.each(
  [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JAVASCRIPT:alert(1)//https://a.example",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "//a.example/docs",
    "/docs",
    "a.example/docs",
    "https://",
    "https:a.example",
    "",
  ].flatMap((url) => NAMES.map((name) => [name, url] as const)),
)("%s refuses %j as a place where people click", (name, url) => {
  expect(faultsOf(name, url)).toEqual([
    { path: "docsUrl", message: "must be a whole URL with http or https" },
  ]);
});

test.each(
  [
    "https://a.example/docs?q=1#top",
    "http://localhost:3000",
    "HTTPS://A.example",
    "https://bücher.example/",
  ].flatMap((url) => NAMES.map((name) => [name, url] as const)),
)("%s takes %j", (name, url) => {
  expect(faultsOf(name, url)).toEqual([]);
});

test("a change may still take it away", () => {
  expect(UpdateConfigService.parse({ docsUrl: null })).toEqual({ docsUrl: null });
});
