import { expect, test } from "vitest";
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
