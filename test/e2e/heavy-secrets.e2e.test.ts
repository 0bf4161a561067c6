import { randomBytes } from "node:crypto";
import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

/** Each within what one value may have; two of them are within what one run can keep in, three are not. */
const VALUES = [1, 2, 3].map(() => randomBytes(6_000).toString("hex"));
const NAMES = ["first", "second", "third"];

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  for (const [at, name] of NAMES.entries()) {
    const service = { name, allowedHosts: ["api.example.com"], delivery: "reveal" };
    expect((await owner.post("/api/v1/config-services", service)).status).toBe(201);
    const entry = { label: "main", data: { api_key: VALUES[at] } };
    const filled = await owner.post(`/api/v1/config-services/${name}/entries`, entry);
    expect(filled.status, JSON.stringify(filled.body)).toBe(201);
  }
});

/** What becomes of a tool with this code that declares these services. */
async function run(name: string, services: string[], code: string) {
  await createTool(owner, name, code, {
    requiredConfigServices: services.map((service) => ({ name: service })),
  });
  const { body } = await owner.post(`/api/v1/custom-tools/${name}/execute`, { arguments: {} });
  for (const value of VALUES) expect(JSON.stringify(body)).not.toContain(value);
  return body.data;
}
const TOO_LARGE = {
  status: "failed",
  isError: true,
  error: {
    code: "vault.too_large",
    message: expect.stringMatching(/more than 32768 characters.*Move large/),
  },
};

test("a tool that declares more secrets than one run can keep in is not run, and the end says what to do", async () => {
  product.showLogsIfTestFails();
  const lengths = `return ["first", "second"].map((name) => utils.getApiKey(name).length);`;
  expect(await run("within", ["first", "second"], lengths)).toMatchObject({
    status: "succeeded",
    result: [12_000, 12_000],
  });
  const refused = await run("beyond", NAMES, "console.log('it ran'); return 1;");
  expect(refused).toMatchObject(TOO_LARGE);
  const { body } = await owner.get(`/api/v1/executions/${refused.executionId}`);
  expect(body.data).toMatchObject({ usage: { cpuMs: 0, wallMs: 0 }, attempts: 1 });
  const events = await owner.follow(refused.executionId);
  const types = (await events.rest()).map(({ event }) => event);
  expect(types).toEqual(["execution.queued", "execution.failed"]);
});

test("the secrets of its callers count for a tool that another one calls", async () => {
  product.showLogsIfTestFails();
  expect(await run("called", ["third"], "return utils.getApiKey('third').length;")).toMatchObject({
    result: 12_000,
  });
  const calls = `try { return await utils.callTool("called", {}); } catch (error) { return String(error); }`;
  const { result } = await run("calls", ["first", "second"], calls);
  expect(JSON.stringify(result)).toContain("vault.too_large");
  const { body } = await owner.get("/api/v1/executions?tool=called&status=failed");
  expect(body.data.executions).toMatchObject([TOO_LARGE]);
});
