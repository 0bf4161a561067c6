import type { ConfigService, CreateConfigServiceBody, UpdateConfigServiceBody } from "@bulkhead/client";
import type { Field } from "./entry-values.ts";

/** A field as it is written in the editor. */
export interface FieldDraft {
  /** Tells rows apart while they come and go. */
  id: number;
  name: string;
  type: Field["type"];
  isRequired: boolean;
  description: string;
  /** Choices of a select, one a line. */
  options: string;
  /** It is not edited, and stays as it is. */
  preset: Field["default"];
}

/** A service as it is written in its form. */
export interface ServiceDraft {
  name: string;
  /** The fields and terms of all but an `api` are the server's. */
  kind: ConfigService["kind"];
  displayName: string;
  description: string;
  category: string;
  docsUrl: string;
  isMulti: boolean;
  isRevealed: boolean;
  inBody: boolean;
  /** Whether hosts are named; else they follow from each entry. */
  hasHosts: boolean;
  /** One a line; none: nowhere. */
  hosts: string;
  /** Null: a key and an address. */
  fields: FieldDraft[] | null;
}

export const FIELD_TYPES = ["secret", "text", "url", "number", "boolean", "select"] as const;

/** What a service may be, in words for who makes one. */
export const SERVICE_KINDS: Readonly<Record<ConfigService["kind"], string>> = {
  api: "an API that code asks itself",
  postgres: "a PostgreSQL database, for utils.db and database_query",
  smtp: "a mailbox, for utils.email and message",
  webhook: "a webhook, for message",
  slack: "a Slack channel, for message",
  discord: "a Discord channel, for message",
  telegram: "a Telegram chat, for message",
  image: "a model that makes pictures, for image; its name is image",
  speech: "a voice, for tts; its name is tts",
};

export const newDraft = (name: string): ServiceDraft => ({
  name,
  kind: "api",
  displayName: "",
  description: "",
  category: "",
  docsUrl: "",
  isMulti: false,
  isRevealed: false,
  inBody: false,
  hasHosts: false,
  hosts: "",
  fields: null,
});

export const newField = (id: number): FieldDraft => ({
  id,
  name: "",
  type: "text",
  isRequired: false,
  description: "",
  options: "",
  preset: undefined,
});

/** The two fields that a service has for which nobody names any. */
export const usualFields = (): FieldDraft[] => [
  { ...newField(0), name: "api_key", type: "secret", isRequired: true },
  { ...newField(1), name: "base_url", type: "url" },
];

export const draftOf = (service: ConfigService): ServiceDraft => ({
  name: service.name,
  kind: service.kind,
  displayName: service.displayName ?? "",
  description: service.description ?? "",
  category: service.category ?? "",
  docsUrl: service.docsUrl ?? "",
  isMulti: service.multiEntry,
  isRevealed: service.delivery === "reveal",
  inBody: service.exchangeInBody,
  hasHosts: service.allowedHosts !== undefined,
  hosts: (service.allowedHosts ?? []).join("\n"),
  fields: service.configSchema.map((field, id) => ({
    id,
    name: field.name,
    type: field.type,
    isRequired: field.required,
    description: field.description ?? "",
    options: (field.options ?? []).join("\n"),
    preset: field.default,
  })),
});

const lines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const fieldOf = ({ name, type, isRequired, description, options, preset }: FieldDraft) => ({
  name: name.trim(),
  type,
  required: isRequired,
  ...(description.trim() !== "" && { description: description.trim() }),
  ...(type === "select" && { options: lines(options) }),
  ...(preset !== undefined && type !== "secret" && { default: preset }),
});

const terms = ({ kind, isMulti, isRevealed, inBody, hasHosts, hosts, fields }: ServiceDraft) =>
  kind === "api" && {
    multiEntry: isMulti,
    delivery: isRevealed ? ("reveal" as const) : ("placeholder" as const),
    exchangeInBody: inBody,
    allowedHosts: hasHosts ? lines(hosts) : null,
    ...(fields !== null && { configSchema: fields.map(fieldOf) }),
  };

/** What a new service's form asks the server for. */
export const createBody = (draft: ServiceDraft): CreateConfigServiceBody => ({
  name: draft.name.trim(),
  ...(draft.kind !== "api" && { kind: draft.kind }),
  displayName: draft.displayName.trim() || undefined,
  description: draft.description.trim() || undefined,
  category: draft.category.trim() || undefined,
  docsUrl: draft.docsUrl.trim() || undefined,
  ...terms(draft),
});

/** The same for one that is there; what was emptied is taken away. */
export const updateBody = (draft: ServiceDraft): UpdateConfigServiceBody => ({
  displayName: draft.displayName.trim() || null,
  description: draft.description.trim() || null,
  category: draft.category.trim() || null,
  docsUrl: draft.docsUrl.trim() || null,
  ...terms(draft),
});
