import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";
import { useMetrics } from "./http-metrics.ts";
import { useProblems } from "./problems.ts";
import { refuseUnaskedInput } from "./unasked-input.ts";
import { validatorCompiler } from "./validate.ts";

const Defaults = z.strictObject({ limit: z.int().default(1) });

async function answerTo(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  body?: string,
): Promise<[status: number, path?: string]> {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  useMetrics(app, NO_METER);
  useProblems(app);
  refuseUnaskedInput(app);
  const handler = () => ({});
  app.route({ method: ["GET"], url: "/bare", handler });
  app.route({ method: ["POST", "PUT", "PATCH", "DELETE"], url: "/bare", handler });
  app.post("/defaults", { schema: { body: Defaults } }, handler);
  app.post("/needed", { config: { needsBody: true }, schema: { body: Defaults } }, handler);
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { body }) });
  await app.close();
  const [first] = answer.json().errors ?? [];
  return first ? [answer.statusCode, first.path] : [answer.statusCode];
}

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
  "a route that names no body takes none: %s",
  async (method) => {
    expect(await answerTo(method, "/bare")).toEqual([200]);
    expect(await answerTo(method, "/bare", "{}")).toEqual([200]);
    expect(await answerTo(method, "/bare", '{"foo":1}')).toEqual([400, "foo"]);
    for (const other of ["[]", "true", '"x"']) {
      expect(await answerTo(method, "/bare", other), other).toEqual([400, ""]);
    }
  },
);

test("a route that names a body is not touched", async () => {
  expect(await answerTo("POST", "/defaults")).toEqual([200]);
  expect(await answerTo("POST", "/defaults", '{"limit":2}')).toEqual([200]);
});

test("a body that is needed has to be there, with nothing in it at the least", async () => {
  expect(await answerTo("POST", "/needed")).toEqual([400, ""]);
  expect(await answerTo("POST", "/needed", "{}")).toEqual([200]);
});

test("a route that reads takes no query that it doesn't name", async () => {
  expect(await answerTo("GET", "/bare")).toEqual([200]);
  expect(await answerTo("GET", "/bare?foo=1")).toEqual([400, "foo"]);
});
