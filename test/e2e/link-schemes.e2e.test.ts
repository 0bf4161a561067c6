import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { newTenant, type Client } from "../support/client.ts";

const SERVICES = "/api/v1/config-services";
const TOOL = { description: "d", parameters: { type: "object" }, code: "return 1;" };
const HOSTILE = { name: "weather", docsUrl: "javascript:alert(1)" };

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await owner.post(SERVICES, { name: "linked", docsUrl: "https://linked.example/docs" });
});

test.each<[string, "post" | "patch", string, object, string]>([
  ["a service that is made", "post", SERVICES, HOSTILE, "docsUrl"],
  ["a service that is changed", "patch", `${SERVICES}/linked`, { docsUrl: HOSTILE.docsUrl }, "docsUrl"],
  [
    "a key that a tool needs",
    "post",
    "/api/v1/custom-tools",
    { ...TOOL, name: "linking", requiredApiKeys: [HOSTILE] },
    "requiredApiKeys.0.docsUrl",
  ],
  [
    "a service that a model's tool needs",
    "post",
    "/api/v1/meta-tools/create_tool",
    { ...TOOL, name: "linking", required_config_services: [HOSTILE] },
    "required_config_services.0.docsUrl",
  ],
])(
  "a link that runs where it is clicked is refused by name: of %s",
  async (_what, method, path, body, field) => {
    const answer = await owner[method](path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(answer.body.errors).toEqual([{ path: field, message: "must be a whole URL with http or https" }]);
  },
);

test("a link of an ordinary kind stays as it was given", async () => {
  const { body } = await owner.get(`${SERVICES}/linked`);
  expect(body.data.docsUrl).toBe("https://linked.example/docs");
});
