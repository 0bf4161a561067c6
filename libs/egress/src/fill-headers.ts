import { PLACEHOLDER, type HeldSecret } from "@bulkhead/core";
import { REQUEST_HEADER_BYTES_MAX } from "./bounds.ts";
import { Refusal } from "./refusal.ts";
import type { HeaderList } from "./request-headers.ts";
import { refuseHeader } from "./secret-refusal.ts";

type SecretOf = (placeholder: string) => HeldSecret | null;

/** Characters that every server reads alike; beyond ASCII servers differ. */
const VALUE = /^[\t\x20-\x7e]*$/;
const BASIC = /^(basic[ \t]+)([a-z0-9+/_-]+={0,2})$/i;

/** Headers with the placeholders in their values exchanged, also those within the base64 of `Basic`. */
export function fillHeaders(headers: HeaderList, secretOf: SecretOf): HeaderList {
  const filled = headers.map(([name, value]): [string, string] => [name, fillValue(name, value, secretOf)]);
  const bytes = filled.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > REQUEST_HEADER_BYTES_MAX)
    throw new Refusal(
      "invalid_request",
      `the headers are larger than ${REQUEST_HEADER_BYTES_MAX} bytes with their secrets in them`,
    );
  return filled;
}

function fillValue(name: string, value: string, secretOf: SecretOf): string {
  const filled = value.replace(PLACEHOLDER, (placeholder) => {
    const secret = secretOf(placeholder);
    if (secret && !VALUE.test(secret.value)) throw refuseHeader(secret, name);
    return secret?.value ?? placeholder;
  });
  // A placeholder right after `Basic` stands for a secret that is base64 itself.
  const [, scheme, base64] = filled === value ? (BASIC.exec(value) ?? []) : [];
  return scheme === undefined || base64 === undefined ? filled : scheme + fillBasic(base64, secretOf);
}

/** Any value may stand within base64, as UTF-8. */
function fillBasic(base64: string, secretOf: SecretOf): string {
  const given = Buffer.from(base64, "base64").toString("latin1");
  const filled = given.replace(PLACEHOLDER, (placeholder) => {
    const secret = secretOf(placeholder);
    return secret ? Buffer.from(secret.value).toString("latin1") : placeholder;
  });
  return filled === given ? base64 : Buffer.from(filled, "latin1").toString("base64");
}
