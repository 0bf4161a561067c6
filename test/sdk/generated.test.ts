import type { ExecutionEvent } from "@bulkhead/client";
import type { ExecutionEvent as ToldEvent, TerminalStatus } from "@bulkhead/core";
import { expect, expectTypeOf, test } from "vitest";
import { OPERATION_IDS } from "../../apps/api/src/edge/operation-ids.ts";
import { describeApi } from "../../libs/sdk/build/api-document.ts";
import { METHOD_NAMES } from "../../libs/sdk/build/method-names.ts";
import { writeClient } from "../../libs/sdk/build/write-client.ts";
import { ROUTES } from "../../libs/sdk/client/src/generated/routes.ts";

const GENERATED = "../../libs/sdk/client/src/generated";

test("the client's types and routes are those of the API's document", async () => {
  const { routes, types, operations } = writeClient(await describeApi());
  await expect(routes).toMatchFileSnapshot(`${GENERATED}/routes.ts`);
  await expect(types).toMatchFileSnapshot(`${GENERATED}/types.ts`);
  await expect(operations).toMatchFileSnapshot(`${GENERATED}/operations.ts`);
});

test("the client has one method for each operation of the API", () => {
  expect(Object.keys(METHOD_NAMES).sort()).toEqual(Object.values(OPERATION_IDS).sort());
  const methods = Object.entries(ROUTES).flatMap(([name, row]) =>
    typeof row === "string" ? [name] : Object.keys(row).map((method) => `${name}.${method}`),
  );
  expect(methods.sort()).toEqual(Object.values(METHOD_NAMES).sort());
});

test("every list of the API is read page by page", () => {
  const rows = new Map(
    Object.entries(METHOD_NAMES).map(([id, method]) => {
      const [group = "", name] = method.split(".");
      const row: unknown = ROUTES[group as keyof typeof ROUTES];
      return [id, String(name === undefined ? row : (row as Record<string, string>)[name])];
    }),
  );
  const whole = [...rows].filter(([id, row]) => id.startsWith("list") && !row.includes("pages="));
  // Definitions are one answer for a model, and types one file.
  const names = ["listToolDefinitions", "listToolTypes", "listMetaToolDefinitions"];
  expect(whole.map(([id]) => id)).toEqual(names);
});

test("the client knows every event of an execution", () => {
  expectTypeOf<ExecutionEvent["event"]>().toEqualTypeOf<ToldEvent["type"] | "execution.gap">();
  expectTypeOf<`execution.${TerminalStatus}`>().toExtend<ExecutionEvent["event"]>();
});
