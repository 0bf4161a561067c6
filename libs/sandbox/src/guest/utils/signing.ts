import { requestEffect } from "../effects.ts";
import { bytesOf } from "../utf8.ts";
import { takeName, takeText, wrongKind } from "./arguments.ts";

const ALGORITHMS = ["sha256", "sha1", "sha512"] as const;
const ENCODINGS = ["hex", "base64", "base64url"] as const;

interface HmacOptions {
  algorithm?: (typeof ALGORITHMS)[number];
  encoding?: (typeof ENCODINGS)[number];
  /** Without it the default entry. */
  entry?: string;
  /** Without it `api_key`, or the only secret of the entry. */
  field?: string;
}

/**
 * A signature of the data (a text's UTF-8, or bytes) with a secret of a service that the tool declares. The worker makes
 * it: the key never comes here. Rejects with `code` `invalid_request` where there is no such key.
 */
export async function hmac(service: string, data: unknown, options: HmacOptions = {}): Promise<string> {
  if (typeof options !== "object" || options === null) throw wrongKind("hmac", "options must be an object");
  const { algorithm = "sha256", encoding = "hex", entry, field } = options;
  const head = {
    kind: "hmac",
    service: takeText("hmac", "service", service),
    entry: entry === undefined ? null : takeText("hmac", "entry", entry),
    field: field === undefined ? null : takeText("hmac", "field", field),
    algorithm: takeName("hmac", "algorithm", algorithm, ALGORITHMS),
    encoding: takeName("hmac", "encoding", encoding, ENCODINGS),
  };
  const content = bytesOf(data) ?? takeText("hmac", "data", data);
  const { body } = await requestEffect(head, content, undefined, "sign");
  return body;
}
