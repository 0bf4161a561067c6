import { CONFIG_VALUE_BYTES_MAX, type ConfigField, type ConfigFieldType } from "./config-service.ts";

/** Why the field can't hold this value; null where it can. Never says the value. A required field can't hold a blank. */
export const configValueFault = (
  {
    type,
    options = [],
    required = false,
  }: Pick<ConfigField, "type" | "options"> & Partial<Pick<ConfigField, "required">>,
  value: unknown,
): string | null => FAULTS[type](value, options) ?? (required && isBlank(value) ? BLANK : null);

const BLANK = "must not be blank: the field is required";

/** Whether it is a text with nothing in it that can be seen. */
const isBlank = (value: unknown): boolean => typeof value === "string" && !/[^\s\p{Cc}\p{Cf}]/u.test(value);

const FAULTS: Record<ConfigFieldType, (value: unknown, options: readonly string[]) => string | null> = {
  text: textFault,
  secret: (value) => (value === "" ? "must not be empty; null takes it away" : textFault(value)),
  url: (value) => textFault(value) ?? urlFault(String(value)),
  number: (value) => (typeof value === "number" && Number.isFinite(value) ? null : "must be a number"),
  boolean: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  select: (value, options) =>
    options.some((option) => option === value) ? null : `must be one of ${options.join(", ")}`,
};

function textFault(value: unknown): string | null {
  if (typeof value !== "string") return "must be a text";
  if (Buffer.byteLength(value) > CONFIG_VALUE_BYTES_MAX) {
    return `must not be longer than ${CONFIG_VALUE_BYTES_MAX} bytes in UTF-8`;
  }
  if (value.includes("\0")) return "must not contain a NUL character";
  return value.isWellFormed() ? null : "must not contain lone surrogates";
}

function urlFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be a URL with http or https";
  if (url.username !== "" || url.password !== "") {
    return "must not hold a user name or a password; those belong into a secret field";
  }
  return null;
}
