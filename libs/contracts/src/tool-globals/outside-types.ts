/** The answer of a database. */
interface QueryAnswer {
  /** By the names of the columns; of two of one name the second is `name_2`. */
  rows: Record<string, any>[];
  columns: { name: string; type: string }[];
  /** The rows that the statement changed, or that it told of. */
  rowCount: number;
  /** Such as SELECT. */
  command: string;
  /** There were more rows or bytes than the service lets through. */
  truncated: boolean;
}

/**
 * A PostgreSQL database that is a service of the kind `postgres`, which the tool names in `requiredConfigServices`. A refusal
 * rejects with an Error whose `code` is `not_found`, `invalid_request`, `conflict`, `capability_denied`, `capability_limit`,
 * `timeout` or `failed`; its text has the SQLSTATE where the database said one.
 */
export interface ToolDatabase {
  /**
   * One statement, in a read-only transaction unless the service is writable: `await utils.db("shop").query("SELECT * FROM
   * orders WHERE id = $1", [id])`. Values are bound: an array becomes an array of PostgreSQL's, an object JSON. A bigint that
   * would be rounded and every numeric come as texts, bytea as base64, times as ISO 8601 in UTC.
   */
  query(sql: string, params?: readonly unknown[]): Promise<QueryAnswer>;
}

/** Mail by a channel: a service of the kind `smtp`, which the tool names in `requiredConfigServices`. */
export interface ToolEmail {
  /**
   * Sends one mail to addresses that the channel allows, 50 at most: `await utils.email.send({ to: "ann@example.com", subject:
   * "Done", text })`. `channel` names the service where the tool has several. It is sent once; secrets are covered.
   */
  send(mail: {
    to: string | string[];
    subject: string;
    text?: string;
    html?: string;
    cc?: string | string[];
    bcc?: string | string[];
    replyTo?: string;
    channel?: string;
  }): Promise<{
    channel: string;
    kind: string;
    messageId: string | null;
    accepted: string[];
    rejected: string[];
    /** Something in it was secret, and was sent as [REDACTED]. */
    covered?: boolean;
  }>;
}
