import type { Json, JsonObject } from "../json/json.ts";
import type { EffectRefusal } from "./effect.ts";

export interface OutsideRefused {
  ok: false;
  code: EffectRefusal;
  /** In words for the tool; it names neither who signs in nor with what. */
  message: string;
}

/** A server that is reached by another protocol than HTTP, under the same rules of what is open to tools. */
export interface OutsideServer {
  host: string;
  port: number;
  /** Certificates of the authority to trust instead of the system's, as PEM; null: the system's. */
  ca: string | null;
}

export interface DatabaseServer extends OutsideServer {
  database: string;
  user: string;
  password: string;
  /** Whether everything goes by TLS with a certificate that is checked; else in the clear. */
  tls: boolean;
  /** Whether a query may change data; else it runs in a read-only transaction. */
  writable: boolean;
}

/** One statement, with the bounds of its answer. */
export interface DatabaseQuery {
  sql: string;
  /** Bound as values, never written into the statement. */
  params: readonly Json[];
  timeoutMs: number;
  rowsMax: number;
  /** Of all rows as JSON in UTF-8. */
  bytesMax: number;
}

export interface DatabaseAnswer {
  ok: true;
  columns: { name: string; type: string }[];
  rows: JsonObject[];
  /** The rows that a statement has changed, or of which it told. */
  rowCount: number;
  /** The command as the server calls it, such as SELECT. */
  command: string;
  /** There were more rows than the bounds take. */
  truncated: boolean;
}

/** Databases of others. A query has a connection of its own, which nobody uses after it. */
export interface OutsideDatabases {
  /** Never rejects. */
  query(
    tenantId: string,
    server: DatabaseServer,
    query: DatabaseQuery,
    signal: AbortSignal,
  ): Promise<DatabaseAnswer | OutsideRefused>;
}

export interface MailServer extends OutsideServer {
  security: "starttls" | "tls" | "none";
  /** Who signs in; null: nobody does. */
  login: { user: string; password: string } | null;
}

/** Addresses that were read before: none holds anything that ends a header. */
export interface Mail {
  from: { name: string; address: string };
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: string | null;
  subject: string;
  text: string | null;
  html: string | null;
}

export interface MailAnswer {
  ok: true;
  messageId: string;
  accepted: string[];
  /** Those whom the server didn't take, while it took others. */
  rejected: string[];
}

export interface MailSender {
  /** Never rejects. */
  send(
    tenantId: string,
    server: MailServer,
    mail: Mail,
    signal: AbortSignal,
  ): Promise<MailAnswer | OutsideRefused>;
}
