import { queryRows, startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

let product: Product;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  product = await startProduct();
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
});
afterAll(() => product?.stop());

const call = (name: string, body: object, client = agent) => client.post(`/api/v1/meta-tools/${name}`, body);
const create = (name: string, client = agent) =>
  call("create_tool", { name, description: name, parameters: '{"type":"object"}', code: "return 1" }, client);
const outcome = (path: string) =>
  until(
    async () => {
      const { result, error } = (await agent.get(path)).body.data;
      return result ?? error;
    },
    { what: "what came of it" },
  );

/** Leaves the call's row as a process leaves it that is cut off at some point, its lease over. */
const leave = (id: string, fields: string) =>
  queryRows(product.databaseUrl, `UPDATE meta_tool_approvals SET ${fields} WHERE id = '${id}' RETURNING id`);
const ALLOWED = "answer = 'allow_once', answered_by = 'key_gone', answered_at = now()";
const DONE_BUT_NOT_SAID = "outcome = NULL, lease_until = now() - interval '1 second'";

test("what was allowed right before everything stopped is done by the sweep", async () => {
  product.showLogsIfTestFails();
  const { approvalId, links } = (await create("left_undone")).body.data;
  await leave(approvalId, ALLOWED);
  expect(await outcome(links.self)).toMatchObject({ name: "left_undone", createdBy: "llm" });
  expect((await owner.get(`${TOOLS}/left_undone`)).status).toBe(200);
});

test("a creation that was done, but whose outcome was lost, is not done twice and tells the same", async () => {
  const { approvalId, links } = (await create("made_once")).body.data;
  const first = (await owner.post(`${links.self}/allow-once`)).body.data.result;
  await leave(approvalId, DONE_BUT_NOT_SAID);
  expect(await outcome(links.self)).toEqual(first);
  const { tools } = (await call("list_custom_tools", {})).body.data;
  expect(tools.filter(({ name }: { name: string }) => name === "made_once")).toHaveLength(1);
});

test("a deletion that was done, but whose outcome was lost, leaves what has the name by now", async () => {
  await create("gone_once", owner);
  const { approvalId, links } = (await call("delete_custom_tool", { name: "gone_once", confirm: true })).body
    .data;
  const first = (await owner.post(`${links.self}/allow-once`)).body.data.result;
  expect(first.deleted).toBe(true);
  await create("gone_once", owner);
  await leave(approvalId, DONE_BUT_NOT_SAID);
  expect(await outcome(links.self)).toEqual(first);
  expect((await owner.get(`${TOOLS}/gone_once`)).status).toBe(200);
});
