/** Why types could not be taken away; line and column count from 1 in the text as it was written, columns in UTF-16 units. */
export interface StripFault {
  line: number;
  column: number;
  /**
   * `syntax`: it does not compile; `typescript`: it needs more than leaving types out (enums, namespaces, parameter properties);
   * `import`: it brings in a value.
   */
  rule: "syntax" | "typescript" | "import";
  message: string;
}

export type StripOutcome = { ok: true; code: string } | { ok: false; fault: StripFault };

/** Takes the types out of the body of an async function, or of a module, in bounded time whatever the text holds. */
export interface TypeStripper {
  /**
   * The JavaScript has every character where it was written, and spaces where types were. It is not validated.
   * Rejects with `service.unavailable` when too many texts wait, of the tenant, whose share of the processors it takes, or of all.
   */
  strip(tenantId: string, code: string): Promise<StripOutcome>;
  close(): Promise<void>;
}
