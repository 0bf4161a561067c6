import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  Fault,
  type Principal,
  type Signal,
} from "@bulkhead/core";
import { NO_METER } from "@bulkhead/process/telemetry";
import { streamArchive } from "@bulkhead/tools/packages";
import fastify, { type FastifyInstance } from "fastify";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useMetrics } from "../../edge/http-metrics.ts";
import { useProblems } from "../../edge/problems.ts";
import { validatorCompiler } from "../../edge/validate.ts";
import { tenantExportRoutes } from "./tenant-export.ts";

const at = new Date(0);
const ADMIN: Principal = { role: "admin", keyId: "admin" };

let app: FastifyInstance;
let url: string;
let pages: number;
let leftAt: PromiseWithResolvers<void>;
let stopping: AbortController;
let isKeyGone: boolean;
let listeners: Set<(signal: Signal) => void>;

/** Tools without end, of every tenant. */
beforeEach(async () => {
  app = fastify();
  pages = 0;
  leftAt = Promise.withResolvers();
  stopping = new AbortController();
  listeners = new Set();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  useMetrics(app, NO_METER);
  useProblems(app);
  isKeyGone = false;
  app.decorateRequest("principal");
  app.decorate("whoSent", async () => {
    if (isKeyGone) throw new Fault("auth.invalid_key");
    return ADMIN;
  });
  app.addHook("onRequest", async (request) => void (request.principal = ADMIN));
  tenantExportRoutes(app.withTypeProvider(), {
    tenants: {
      find: async (id) => ({
        id,
        slug: "acme",
        name: "Acme",
        limits: TENANT_LIMITS_DEFAULT,
        settings: { ...TENANT_SETTINGS_DEFAULT, approval: APPROVAL_SETTINGS_DEFAULT },
        createdAt: at,
        updatedAt: at,
      }),
    },
    tenantExports: {
      page: async () => {
        pages += 1;
        return { lines: [JSON.stringify(randomBytes(100_000).toString("base64"))], next: "more" };
      },
      logPieces: () => Promise.reject(new Error("no log is asked for")),
    },
    unpackLog: () => Promise.reject(new Error("no log is asked for")),
    streamArchive: (files, signal) => streamArchive(files, signal).once("close", () => leftAt.resolve()),
    audit: { record: () => Promise.resolve() },
    clock: () => at,
    signals: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    stopping: { streams: stopping.signal },
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  stopping.abort();
  await app.close();
});

const open = (tenantId: string, signal?: AbortSignal) =>
  fetch(`${url}/tenants/${tenantId}/export`, {
    headers: { authorization: "Bearer key" },
    ...(signal && { signal }),
  });

/** Reads until a page has come. */
async function begin(answer: Response): Promise<void> {
  const reader = answer.body?.getReader();
  let bytes = 0;
  while (bytes < 100_000) bytes += (await reader?.read())?.value?.byteLength ?? Number.NaN;
  reader?.releaseLock();
}

/** Looks until the number of pages stays. */
async function settledPages(): Promise<number> {
  let before = -1;
  while (before !== pages) {
    before = pages;
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
  }
  return pages;
}

test("who leaves ends the work, and gives up the place", async () => {
  const caller = new AbortController();
  const answer = await open("ten_1", caller.signal);
  const { status, headers } = answer;
  await begin(answer);
  expect([status, headers.get("content-type")]).toEqual([200, "application/zip"]);
  expect(headers.get("content-disposition")).toBe('attachment; filename="acme.zip"');
  caller.abort();
  await leftAt.promise;
  const settled = await settledPages();
  const again = await open("ten_1");
  expect(again.status).toBe(200);
  await begin(again);
  expect(pages).toBeGreaterThan(settled);
});

test("one export of a tenant goes on at a time, and two of all", async () => {
  const first = await open("ten_1");
  const second = await open("ten_1");
  expect([first.status, second.status, second.headers.get("retry-after")]).toEqual([200, 429, "30"]);
  expect(await second.json()).toMatchObject({ code: "exports.busy", retryable: true });
  expect((await open("ten_2")).status).toBe(200);
  expect((await open("ten_3")).status).toBe(429);
});

test("a process that stops breaks it off, so that it can't be taken for whole", async () => {
  const answer = await open("ten_1");
  stopping.abort();
  await expect(answer.arrayBuffer()).rejects.toThrow();
  await leftAt.promise;
});

test("a key that is gone gets no more of it", async () => {
  const answer = await open("ten_1");
  isKeyGone = true;
  for (const listener of listeners) listener({ type: "forget", kind: "key", id: ADMIN.keyId });
  await expect(answer.arrayBuffer()).rejects.toThrow();
  await leftAt.promise;
  expect(listeners.size).toBe(0);
});

test("a reader that takes nothing is read nothing for", async () => {
  const answer = await open("ten_1");
  expect(answer.status).toBe(200);
  const settled = await settledPages();
  // The buffers of a socket hold some megabytes at most.
  expect(settled).toBeLessThan(200);
  await answer.body?.cancel();
  await leftAt.promise;
});
