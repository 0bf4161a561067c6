import {
  CONFIG_NAME_CHARS_MAX,
  type CapabilityAnswer,
  type CapabilityFamily,
  type DatabaseServer,
  type Json,
  type OutsideDatabases,
} from "@bulkhead/core";
import { z } from "zod";
import { namedService, textOf, type NamedService } from "../named-service.ts";
import { readAsked } from "../read-asked.ts";
import { PARAMS_CHARS_MAX, PARAMS_MAX, SHOWN_BYTES_MAX, SQL_CHARS_MAX } from "./bounds.ts";

const QUERY = z.strictObject({
  database: z.string().min(1).max(CONFIG_NAME_CHARS_MAX),
  sql: z.string().min(1).max(SQL_CHARS_MAX),
  params: z
    .array(z.json())
    .max(PARAMS_MAX)
    .default([])
    .refine(
      (params) => JSON.stringify(params).length <= PARAMS_CHARS_MAX,
      `must not have more than ${PARAMS_CHARS_MAX} characters together`,
    ),
});

/**
 * The capability `db`: databases that are services of the kind `postgres`. A query counts as a change, since its service may let
 * it be one: it is done once, also where its worker is lost.
 */
export const openDatabases = (databases: OutsideDatabases): CapabilityFamily => ({
  operations: new Map([
    ["query", "writes"],
    ["show", "writes"],
  ]),
  coversAnswers: true,
  async run({ operation, arguments: args }, caller, signal): Promise<CapabilityAnswer> {
    const read = readAsked(QUERY, args);
    if (!read.ok) return read;
    const { database, sql, params } = read.asked;
    const service = namedService(caller, database, (kind) => kind === "postgres", "database");
    if (!service.ok) return service;
    const bytesMax = Number(service.values["maxBytes"]);
    const query = {
      sql,
      params: params as Json[],
      timeoutMs: Number(service.values["statementTimeoutMs"]),
      rowsMax: Number(service.values["maxRows"]),
      bytesMax: operation === "show" ? Math.min(bytesMax, SHOWN_BYTES_MAX) : bytesMax,
    };
    const answer = await databases.query(caller.tenantId, serverOf(service), query, signal);
    if (!answer.ok) return answer;
    const { ok, ...value } = answer;
    return { ok, value };
  },
});

const serverOf = (service: NamedService): DatabaseServer => ({
  host: textOf(service, "host"),
  port: Number(service.values["port"]),
  database: textOf(service, "database"),
  user: textOf(service, "user"),
  password: service.secrets["password"] ?? "",
  tls: service.values["ssl"] !== "off",
  ca: textOf(service, "ca") || null,
  writable: service.values["writable"] === true,
});
