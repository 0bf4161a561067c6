import type { ConfigService } from "@bulkhead/client";
import { expect, test } from "vitest";
import { createBody, draftOf, newDraft, newField, updateBody } from "./service-values.ts";

test("a service of a name alone leaves its fields and hosts to the server", () => {
  expect(createBody(newDraft(" stripe "))).toEqual({
    name: "stripe",
    multiEntry: false,
    delivery: "placeholder",
    exchangeInBody: false,
    allowedHosts: null,
  });
});

test("a database or a channel has no terms of its own to be asked for", () => {
  const draft = { ...newDraft("shop"), kind: "postgres" as const, isRevealed: true, fields: [newField(0)] };
  expect(createBody(draft)).toEqual({ name: "shop", kind: "postgres" });
  expect(updateBody(draft)).toEqual({ displayName: null, description: null, category: null, docsUrl: null });
});

test("hosts come one a line or by commas, and none at all is nowhere", () => {
  const named = { ...newDraft("a"), hasHosts: true };
  expect(createBody({ ...named, hosts: " api.example.com \n\nb.example, c.example" }).allowedHosts).toEqual([
    "api.example.com",
    "b.example",
    "c.example",
  ]);
  expect(createBody(named).allowedHosts).toEqual([]);
});

test("choices go with a select alone", () => {
  const field = { ...newField(0), name: "region", options: "eu\nus" };
  const schema = createBody({ ...newDraft("a"), fields: [field, { ...field, type: "select" }] }).configSchema;
  expect(schema?.map(({ options }) => options)).toEqual([undefined, ["eu", "us"]]);
});

test("a service that is looked at and saved stays as it was, and what was emptied goes", () => {
  const service = {
    name: "mailer",
    kind: "api",
    displayName: "Mailer",
    multiEntry: true,
    delivery: "reveal",
    exchangeInBody: true,
    allowedHosts: ["mail.example"],
    configSchema: [
      { name: "region", type: "select", required: false, options: ["eu", "us"], default: "eu" },
      { name: "key", type: "secret", required: true, description: "The key." },
    ],
  } as unknown as ConfigService;
  const draft = draftOf(service);
  const { name: _name, kind: _kind, ...same } = service;
  expect(updateBody(draft)).toEqual({ ...same, description: null, category: null, docsUrl: null });
  expect(updateBody({ ...draft, displayName: " " }).displayName).toBeNull();
});
