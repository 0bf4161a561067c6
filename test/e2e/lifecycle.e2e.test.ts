import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
type Status = "active" | "disabled" | "pending_approval" | "rejected";
type Move = "enable" | "disable" | "approve" | "reject";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const PERMISSIONS = ["network", "filesystem", "database", "shell", "email", "scheduling"];
const move = (name: string, by: Move) => owner.post(`${TOOLS}/${name}/${by}`);
const read = async (name: string) => (await owner.get(`${TOOLS}/${name}`)).body.data;

/** What brings a new tool to each status. */
const WAY_TO: Record<Status, { createdBy: "user" | "llm"; by: Move[] }> = {
  active: { createdBy: "user", by: [] },
  disabled: { createdBy: "user", by: ["disable"] },
  pending_approval: { createdBy: "llm", by: [] },
  rejected: { createdBy: "llm", by: ["reject"] },
};

/** The picture: what each move makes of each status. A move to where the tool is already changes nothing. */
const BECOMES: Record<Status, Record<Move, Status | "refused">> = {
  active: { enable: "active", disable: "disabled", approve: "refused", reject: "refused" },
  disabled: { enable: "active", disable: "disabled", approve: "refused", reject: "refused" },
  pending_approval: { enable: "refused", disable: "refused", approve: "active", reject: "rejected" },
  rejected: { enable: "refused", disable: "refused", approve: "refused", reject: "refused" },
};

const ROWS = Object.entries(BECOMES).flatMap(([from, moves]) =>
  Object.entries(moves).map(([by, to]) => [from as Status, by as Move, to] as const),
);

test.each(ROWS)("[T4, E12, E13, E14] a tool that is %s: %s, then it is %s", async (from, by, to) => {
  const { createdBy, by: way } = WAY_TO[from];
  const name = `from_${from}_${by}`;
  await createTool(owner, name, "return 1;", { createdBy, permissions: ["email"] });
  for (const step of way) expect((await move(name, step)).status).toBe(200);
  const { status, body } = await move(name, by);
  if (to === "refused") {
    expect([400, 409]).toContain(status);
    expect(body.code).toMatch(/^tool\.(not_pending|transition_refused)$/);
    expect(body.detail).toMatch(/\w/);
  } else expect([status, body.data.status]).toEqual([200, to]);
  expect(await read(name)).toMatchObject({ status: to === "refused" ? from : to });
});

test.each(["approve", "reject"] as const)("[E13, E14] to %s what does not wait is a 400", async (by) => {
  await createTool(owner, `not_waiting_${by}`, "return 1;");
  expect((await move(`not_waiting_${by}`, by)).status).toBe(400);
});

describe("a new tool", () => {
  test("[T1] of a person's is active whatever its permissions", async () => {
    const tool = await createTool(owner, "of_a_person", "return 1;", { permissions: PERMISSIONS });
    expect(tool).toMatchObject({ status: "active", createdBy: "user", version: 1 });
  });

  test.each(PERMISSIONS)("[T2, T3] of a model's with the permission %s", async (permission) => {
    const tool = await createTool(owner, `of_a_model_${permission}`, "return 1;", {
      createdBy: "llm",
      permissions: [permission],
    });
    const dangerous = ["shell", "filesystem", "email"].includes(permission);
    expect(tool.status).toBe(dangerous ? "pending_approval" : "active");
    expect((await owner.post(`${TOOLS}/${tool.name}/execute`)).status).toBe(dangerous ? 400 : 200);
  });
});

test("[T5] a rejected tool stays to be read, in its list too, and nothing runs it", async () => {
  await createTool(owner, "kept_for_audit", "return 1;", { createdBy: "llm", permissions: ["shell"] });
  await move("kept_for_audit", "reject");
  expect(await read("kept_for_audit")).toMatchObject({ status: "rejected", code: "return 1;" });
  const { tools } = (await owner.get(`${TOOLS}?status=rejected`)).body.data;
  expect(tools.map(({ name }: { name: string }) => name)).toContain("kept_for_audit");
  const ran = await owner.post(`${TOOLS}/kept_for_audit/execute`);
  expect([ran.status, ran.body.code]).toEqual([400, "tool.not_active"]);
});

test("[T7] version starts at 1 and rises with code and parameters, not with what a run doesn't see", async () => {
  await createTool(owner, "counted", "return 1;");
  const versionAfter = async (change: object) =>
    (await owner.patch(`${TOOLS}/counted`, change)).body.data.version;
  expect(await versionAfter({ description: "told anew", category: "Text" })).toBe(1);
  expect(await versionAfter({ code: "return 2;" })).toBe(2);
  expect(await versionAfter({ parameters: { type: "object", properties: { n: { type: "number" } } } })).toBe(
    3,
  );
});
