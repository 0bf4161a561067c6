import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Answer, type Client } from "../support/client.ts";

/** Writes of one row at the same moment, whose callers named no state: each is made as if they came one after another. */
const WRITERS = isNightly ? 20 : 6;
const TOOLS = "/api/v1/custom-tools";
const SERVICES = "/api/v1/config-services";
const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
});

const atOnce = (write: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n)));
/** How often which answer came. */
const counted = (answers: Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const told = [status, body.code].filter(Boolean).join(" ");
    counts[told] = (counts[told] ?? 0) + 1;
  }
  return counts;
};
const newService = async (name: string, multiEntry: boolean) => {
  const configSchema = [{ name: "region", type: "text" }];
  const made = await owner.post(SERVICES, { name, multiEntry, configSchema });
  expect(made.status).toBe(201);
};
const fill = (service: string, label: string) =>
  owner.post(`${SERVICES}/${service}/entries`, { label, data: { region: label } });
const readService = async (name: string) => (await owner.get(`${SERVICES}/${name}`)).body.data;
const labelsOf = async (name: string): Promise<string[]> =>
  (await owner.get(`${SERVICES}/${name}/entries`)).body.data.entries.map(
    ({ label }: { label: string }) => label,
  );

describe("of one service", () => {
  test("entries with labels of their own are all made, changed and deleted", async () => {
    await newService("many", true);
    expect(counted(await atOnce((n) => fill("many", `l${n}`)))).toEqual({ 201: WRITERS });
    expect(new Set(await labelsOf("many")).size).toBe(WRITERS);
    const path = (label: string) => `${SERVICES}/many/entries/${label}`;
    const renamed = await atOnce((n) => owner.patch(path(`l${n}`), { label: `r${n}` }));
    expect(counted(renamed)).toEqual({ 200: WRITERS });
    expect((await labelsOf("many")).every((label) => label.startsWith("r"))).toBe(true);
    expect(counted(await atOnce((n) => owner.delete(path(`r${n}`))))).toEqual({ 200: WRITERS });
    expect(await labelsOf("many")).toEqual([]);
  });

  test("that takes one entry: the others hear that it has one", async () => {
    await newService("single", false);
    const answers = await atOnce((n) => fill("single", `l${n}`));
    expect(counted(answers)).toEqual({ 201: 1, "409 config_entry.too_many": WRITERS - 1 });
  });

  test("an entry of one label is made once: the others hear that it is taken", async () => {
    await newService("alike", true);
    const answers = await atOnce(() => fill("alike", "same"));
    expect(counted(answers)).toEqual({ 201: 1, "409 config_entry.label_taken": WRITERS - 1 });
  });

  test("changes of other fields are all kept, and it is deleted once", async () => {
    await newService("changed", true);
    const changes = [
      { displayName: "d" },
      { description: "e" },
      { category: "c" },
      { docsUrl: "https://d.example" },
    ];
    const answers = await atOnce((n) => owner.patch(`${SERVICES}/changed`, changes[n % changes.length]));
    expect(counted(answers)).toEqual({ 200: WRITERS });
    expect(await readService("changed")).toMatchObject(Object.assign({}, ...changes));
    expect(counted(await atOnce(() => owner.delete(`${SERVICES}/changed`)))).toEqual({
      200: 1,
      "404 config_service.not_found": WRITERS - 1,
    });
  });
});

describe("of one tool", () => {
  test("switching it off and on is repeatable at once as it is one after another", async () => {
    await createTool(owner, "switched", "return 1;");
    for (const move of ["disable", "enable"]) {
      const answers = await atOnce(() => owner.post(`${TOOLS}/switched/${move}`));
      expect(counted(answers), move).toEqual({ 200: WRITERS });
    }
  });

  test("changes of other fields are all kept", async () => {
    await createTool(owner, "described", "return 1;");
    const changes = [
      { description: "d" },
      { category: "c" },
      { metadata: { m: 1 } },
      { requiresApproval: true },
    ];
    const answers = await atOnce((n) => owner.patch(`${TOOLS}/described`, changes[n % changes.length]));
    expect(counted(answers)).toEqual({ 200: WRITERS });
    const read = (await owner.get(`${TOOLS}/described`)).body.data;
    expect(read).toMatchObject({ version: 1, ...Object.assign({}, ...changes) });
  });

  test("changes of its code are versions, each with one writer's code", async () => {
    await createTool(owner, "written", "return 'first';");
    const answers = await atOnce((n) => owner.patch(`${TOOLS}/written`, { code: `return ${n};` }));
    expect(counted(answers)).toEqual({ 200: WRITERS });
    const made = answers.map(({ body }) => body.data).toSorted((a, b) => a.version - b.version);
    expect(made.map(({ version }) => version)).toEqual(Array.from({ length: WRITERS }, (_, n) => n + 2));
    for (const { version, code } of made)
      expect((await owner.get(`${TOOLS}/written/versions/${version}`)).body.data.code).toBe(code);
  });

  test("a version is restored once, however many ask", async () => {
    await createTool(owner, "restored", "return 1;");
    await owner.patch(`${TOOLS}/restored`, { code: "return 2;" });
    const answers = await atOnce(() => owner.post(`${TOOLS}/restored/versions/1/restore`));
    expect(counted(answers)).toEqual({ 200: WRITERS });
    expect(new Set(answers.map(({ body }) => body.data.version))).toEqual(new Set([3]));
  });
});

test("who enables a tool that waits is told how it is approved", async () => {
  const { id } = await createTool(owner, "waiting", "return 1;", {
    createdBy: "llm",
    permissions: ["shell"],
  });
  const { status, body } = await owner.post(`${TOOLS}/waiting/enable`);
  expect([status, body.code]).toEqual([409, "tool.transition_refused"]);
  expect(body.detail).toContain(`POST ${TOOLS}/${id}/approve`);
  await owner.post(`${TOOLS}/waiting/reject`);
  const refused = (await owner.post(`${TOOLS}/waiting/enable`)).body;
  expect(refused.detail).toContain(`DELETE ${TOOLS}/${id}`);
});
