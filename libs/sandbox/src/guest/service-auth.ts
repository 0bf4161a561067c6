import { encodeBase64 } from "./base64.ts";
import { head } from "./budget.ts";
import { encodeUtf8 } from "./utf8.ts";
import { getFieldValue, whyNoValues } from "./utils/config.ts";

const SCHEMES = ["bearer", "basic", "header"] as const;

const OPTIONS = ["service", "scheme", "header", "entry", "field", "user"] as const satisfies (keyof Auth)[];

/** How a service's key goes along with a request. */
export interface Auth {
  service: string;
  /** `bearer` where it is left out. */
  scheme?: (typeof SCHEMES)[number];
  /** The header's name for the scheme `header`; `x-api-key` if it is left out. */
  header?: string;
  /** Without it the default entry. */
  entry?: string;
  /** The field that holds the key; `api_key` if it is left out. */
  field?: string;
  /**
   * The user before the colon, for the scheme `basic`. Without it the entry's `username`; if there is none either, the key
   * itself is the user and there is no password, as many APIs want it.
   */
  user?: string;
}

/**
 * The header that carries the key. A secret is a placeholder here, unless its service reveals it. Throws a TypeError for
 * an unknown option: a misspelled one would send another key, or the key in another way.
 */
export function authHeader(given: string | Auth): [name: string, value: string] {
  const auth: Partial<Auth> = typeof given === "string" ? { service: given } : (given ?? {});
  const { service, scheme = "bearer", header = "x-api-key", entry, field = "api_key" } = auth;
  const unknown = Object.keys(auth).find((name) => !OPTIONS.some((option) => option === name));
  if (unknown !== undefined)
    throw new TypeError(
      `api: auth has no option "${head(unknown, 60)}"; its options are ${OPTIONS.join(", ")}`,
    );
  if (typeof service !== "string")
    throw new TypeError("api: auth must be a service's name or have a service");
  if (!SCHEMES.includes(scheme)) throw new TypeError(`api: auth.scheme must be one of ${SCHEMES.join(", ")}`);
  const key = valueOf(service, field, entry);
  if (key === null) throw missingKey(service, field, entry);
  if (scheme === "header") return [header, key];
  if (scheme === "bearer") return ["authorization", `Bearer ${key}`];
  const user = auth.user ?? valueOf(service, "username", entry);
  const pair = user === null ? `${key}:` : `${user}:${key}`;
  return ["authorization", `Basic ${encodeBase64(encodeUtf8(pair))}`];
}

function valueOf(service: string, field: string, entry: string | undefined): string | null {
  const value = getFieldValue(service, field, entry) as string | number | boolean | undefined;
  return value === undefined ? null : String(value);
}

function missingKey(service: string, field: string, entry: string | undefined): Error {
  const where = entry === undefined ? "" : ` in its entry "${entry}"`;
  const why = whyNoValues(service) ?? `set it with PATCH /api/v1/config-services/${service}/entries/<label>.`;
  return new Error(`api: the service "${service}" has no value for "${field}"${where}: ${why}`);
}
