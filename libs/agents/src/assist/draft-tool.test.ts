import {
  APPROVAL_SETTINGS_DEFAULT,
  Fault,
  TENANT_LIMITS_DEFAULT,
  type AuditDeed,
  type HeldSecret,
  type ModelAnswer,
  type ModelRequest,
  type OpenedService,
  type TenantPrincipal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { draftTool, DRAFTS_PER_MINUTE, REPAIRS_MAX, type DraftDeps } from "./draft-tool.ts";

const principal: TenantPrincipal = {
  role: "developer",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};

const KEY: HeldSecret = {
  service: "model",
  entry: "main",
  field: "api_key",
  value: "model-key-1",
  hosts: ["model.example"],
  revealed: false,
  inBody: false,
  wholeWordsOnly: false,
};

const MODEL_SERVICE = {
  name: "model",
  entries: [{ label: "main", isDefault: true, values: {}, secrets: [KEY] }],
} as unknown as OpenedService;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("request.malformed_json", { cause });
  }
}

/** What draws on a model that always gives this answer; nothing gets as far as a check of code. */
function open(answer: ModelAnswer, more: Partial<DraftDeps> = {}) {
  const asked: ModelRequest[] = [];
  const deeds: AuditDeed[] = [];
  const counted: string[] = [];
  const cover = (text: string): string => text.replaceAll("model-key-1", "[REDACTED]");
  const deps = {
    model: {
      name: "small",
      complete: (request: ModelRequest) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
      close: () => Promise.resolve(),
    },
    rateLimiter: { take: () => Promise.resolve({ allowed: true }) },
    configs: { open: () => Promise.resolve([]) },
    openScrubber: () => Promise.resolve({ add: () => undefined, text: cover, json: cover }),
    parseJson,
    audit: {
      record: (_by: unknown, _tenantId: string, deed: AuditDeed) => Promise.resolve(deeds.push(deed)),
    },
    countDraft: (outcome: string) => counted.push(outcome),
    ...more,
  } as unknown as DraftDeps;
  const draft = (prompt = "Add two numbers") =>
    draftTool(deps, principal, { prompt, store: true }, new AbortController().signal);
  return { draft, asked, deeds, counted };
}

test("without a model there is no draft, and nothing is counted", async () => {
  const { draft, counted, deeds } = open({ ok: true, text: "" }, { model: null });
  await expect(draft()).rejects.toMatchObject({ code: "assist.not_configured", status: 501 });
  expect([counted, deeds]).toEqual([[], []]);
});

test(`a tenant may ask for ${DRAFTS_PER_MINUTE} drafts a minute, in all processes together`, async () => {
  const takes: unknown[] = [];
  const take = (...args: unknown[]) => {
    takes.push(args);
    return Promise.resolve({ allowed: false, retryAfterMs: 1_200 });
  };
  const { draft, asked } = open({ ok: true, text: "" }, { rateLimiter: { take } as never });
  await expect(draft()).rejects.toMatchObject({ code: "assist.rate_limited", retryAfterSeconds: 2 });
  expect(takes).toEqual([
    [
      { tenantId: "ten_1", name: "assist" },
      { count: DRAFTS_PER_MINUTE, perMs: 60_000, burst: DRAFTS_PER_MINUTE },
      1,
    ],
  ]);
  expect(asked).toEqual([]);
});

test.each([
  ["timeout", "assist.timeout", "timeout"],
  ["failed", "assist.model_failed", "failed"],
  ["aborted", "assist.model_failed", "failed"],
] as const)("a model that %s is the fault %s, counted and recorded", async (reason, code, outcome) => {
  const { draft, counted, deeds } = open({ ok: false, reason, message: "it went wrong" });
  await expect(draft()).rejects.toMatchObject({ code, detail: "It went wrong." });
  expect(counted).toEqual([outcome]);
  expect(deeds).toEqual([
    {
      action: "tool.drafted",
      id: expect.stringMatching(/^tool_/),
      details: { outcome, model: "small", drafts: 0 },
    },
  ]);
});

test("a model that never writes a tool is told so each time, and given up", async () => {
  const { draft, asked, counted } = open({ ok: true, text: "Sure, here it is!" });
  const fault = { path: "", message: "the answer must be one JSON object and nothing else" };
  const drafted = await draft().catch((error: unknown) => error);
  expect(drafted).toMatchObject({ tool: null, draft: null, model: "small" });
  expect(drafted).toHaveProperty(
    "attempts",
    Array.from({ length: REPAIRS_MAX + 1 }, () => ({ stage: "answer", faults: [fault] })),
  );
  expect(asked.map(({ messages }) => messages.length)).toEqual([2, 4, 4, 4]);
  expect(asked[1]?.messages.at(-1)?.content).toContain(fault.message);
  expect(counted).toEqual(["gave_up"]);
});

test("faults of a draft's form name its fields", async () => {
  const { draft, asked } = open({ ok: true, text: 'Here: {"name": "Add", "code": "return 1"}' });
  const { attempts } = await draft();
  expect(attempts[0]?.faults.map(({ path }) => path).toSorted()).toEqual([
    "description",
    "example",
    "name",
    "parameters",
  ]);
  expect(asked[1]?.messages.at(-1)?.content).toContain("- name: ");
});

test("a host that creation would refuse is a fault of the draft", async () => {
  const tool = {
    name: "add",
    description: "Adds.",
    parameters: {},
    code: "return 1",
    permissions: ["network"],
    allowedHosts: ["a.example", "https://b.example/"],
    example: {},
  };
  const { draft } = open({ ok: true, text: JSON.stringify(tool) });
  const { attempts } = await draft();
  expect(attempts[0]).toMatchObject({ stage: "checks", faults: [{ path: "allowedHosts.1" }] });
});

test("the tenant's key goes along beside the messages, in which a prompt's secrets are covered", async () => {
  const configs = { open: () => Promise.resolve([MODEL_SERVICE]) };
  const { draft, asked } = open({ ok: true, text: "my key is model-key-1" }, { configs });
  await draft("Use the key model-key-1");
  expect(asked[0]?.key).toEqual(KEY);
  expect(asked[1]?.messages.map(({ content }) => content)).not.toContainEqual(
    expect.stringContaining("model-key-1"),
  );
  expect(asked[1]?.messages[1]?.content).toContain("Use the key [REDACTED]");
});
