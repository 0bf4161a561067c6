import { expect, test } from "vitest";
import { namesSecret } from "./secret-field.ts";

test.each(["api_key", "key", "apiKey", "APIKEY", "accessToken", "secrets", "db_password", "key_id", "pwd"])(
  "%s is a name for a secret",
  (field) => expect(namesSecret(field)).toBe(true),
);

test.each(["base_url", "host", "region", "keyboard", "secretary", "tokenizer"])(
  "%s is a name for something that may be shown",
  (field) => expect(namesSecret(field)).toBe(false),
);
