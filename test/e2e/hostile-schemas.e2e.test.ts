import { everyNth, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { HOSTILE_SCHEMAS } from "../support/hostile-schemas.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let hostile: Client;
let other: Client;

beforeAll(async () => {
  ({ owner: hostile } = await newTenant(product));
  ({ owner: other } = await newTenant(product));
  await createTool(other, "quiet", "return args;", {
    parameters: { type: "object", properties: { at: { type: "string", format: "date" } }, required: ["at"] },
  });
});

/** A call that is checked like any, and runs. */
async function expectOtherServed(): Promise<void> {
  const call = { arguments: { at: "2026-11-22" } };
  const { status, body } = await other.post(`${TOOLS}/quiet/execute`, call);
  expect([status, body.data?.result]).toEqual([200, call.arguments]);
}

/** Its own fault, or a time that was over: what a hostile call may be answered with. */
const ANSWERS = [200, 400, 429, 503];

const HOSTILE = HOSTILE_SCHEMAS.map((one, at) => ({ ...one, name: `hostile_${at}` }));

test.each(everyNth(HOSTILE, 5))(
  "[R38] $what is refused or bounded, and another tenant is served meanwhile",
  async ({ name, schema, value, refused }) => {
    const parameters = { type: "object", ...schema };
    const creation = { name, description: name, parameters, code: "return 1;" };
    const [made] = await Promise.all([hostile.post(TOOLS, creation), expectOtherServed()]);
    expect([made.status, made.body.code]).toEqual(
      made.status === 201 && !refused ? [201, undefined] : [400, expect.stringMatching(/^(tool|request)\./)],
    );
    if (made.status !== 201) return expect(made.body.errors[0].path).toMatch(/^parameters/);
    const call = () => hostile.post(`${TOOLS}/${name}/execute`, { arguments: value });
    const [ran] = await Promise.all([call(), call(), call(), expectOtherServed()]);
    expect(ANSWERS).toContain(ran.status);
    if (ran.status !== 200) expect(ran.body.detail).toMatch(/\w/);
    await expectOtherServed();
  },
);
