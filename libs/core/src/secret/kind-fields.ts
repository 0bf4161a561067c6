import type { ConfigField, ConfigValue } from "./config-service.ts";
import { isMailAddress, readRecipients } from "./mail-address.ts";
import type { ServiceKind } from "./service-kind.ts";
import { SPEECH_PROVIDERS } from "../tool/pictures-and-speech.ts";

const KIB = 1_024;

/** What one query may take, where the service says nothing, and at most: milliseconds, rows, bytes of JSON. */
const QUERY_MS_DEFAULT = 10_000;
const QUERY_MS_MAX = 60_000;
const QUERY_ROWS_DEFAULT = 1_000;
const QUERY_ROWS_MAX = 10_000;
const QUERY_BYTES_DEFAULT = 512 * KIB;
const QUERY_BYTES_MAX = 4 * 1_024 * KIB;

const text = (name: string, description: string): ConfigField => ({
  name,
  type: "text",
  required: true,
  description,
});
const secret = (name: string, description: string): ConfigField => ({
  ...text(name, description),
  type: "secret",
});
const optional = (field: ConfigField): ConfigField => ({ ...field, required: false });
const number = (name: string, preset: number, description: string): ConfigField => ({
  name,
  type: "number",
  required: false,
  default: preset,
  description,
});
const select = (name: string, options: string[], description: string): ConfigField => ({
  name,
  type: "select",
  required: false,
  default: options[0] ?? "",
  options,
  description,
});

const host = text("host", "A name or an address; private ones only where an operator allows them.");
const ca = optional(
  text("ca", "Certificates of the authority that signed the server's, as PEM; left out: the system's."),
);
const baseUrl = (description: string): ConfigField => ({
  name: "base_url",
  type: "url",
  required: false,
  description,
});
const model = (description: string): ConfigField => optional(text("model", description));
const webhookUrl = secret("url", "The whole URL that the messages go to; whoever knows it can write there.");

/** The fields of the kinds that the platform speaks with itself; nobody else names fields for those. */
export const KIND_FIELDS: Readonly<Record<Exclude<ServiceKind, "api">, readonly ConfigField[]>> = {
  postgres: [
    host,
    number("port", 5_432, "Where PostgreSQL listens."),
    text("database", "The database's name."),
    text("user", "The role that signs in; what it may do is the wall, so give it no more than tools need."),
    secret("password", "The role's password."),
    select(
      "ssl",
      ["verify", "off"],
      "`off` sends everything in the clear, to hosts an operator allows alone.",
    ),
    ca,
    {
      name: "writable",
      type: "boolean",
      required: false,
      default: false,
      description: "Whether queries may change data; else each runs in a read-only transaction.",
    },
    number("statementTimeoutMs", QUERY_MS_DEFAULT, `For one query, up to ${QUERY_MS_MAX}.`),
    number("maxRows", QUERY_ROWS_DEFAULT, `Rows of one answer, up to ${QUERY_ROWS_MAX}.`),
    number("maxBytes", QUERY_BYTES_DEFAULT, `Bytes of one answer's rows, up to ${QUERY_BYTES_MAX}.`),
  ],
  smtp: [
    host,
    number("port", 587, "587 for starttls, 465 for tls."),
    select("security", ["starttls", "tls", "none"], "`none` only to hosts that an operator allows."),
    optional(text("user", "Who signs in; left out: nobody does.")),
    optional(secret("password", "The password of who signs in.")),
    text("from", "The sender's address, such as `tools@example.com` or `Tools <tools@example.com>`."),
    text(
      "recipients",
      "Who may be written to, separated by commas: addresses, `@example.com` for all of a domain, `*` for everybody.",
    ),
    ca,
  ],
  webhook: [
    webhookUrl,
    optional(secret("authorization", "The value of the header Authorization.")),
    optional(
      secret(
        "signingSecret",
        "Messages are signed with it, as Standard Webhooks says; `whsec_` and base64, or any text.",
      ),
    ),
  ],
  slack: [webhookUrl],
  discord: [webhookUrl],
  telegram: [
    secret("token", "The bot's token."),
    text("chatId", "The chat that the bot writes to, such as `-1001234567890` or `@channel`."),
    {
      name: "base_url",
      type: "url",
      required: false,
      default: "https://api.telegram.org",
      description: "Another server of the bots' API.",
    },
  ],
  image: [
    baseUrl(
      "Of an API as OpenAI's is, with its version, such as `https://api.openai.com/v1`, which it is where this is left out.",
    ),
    optional(secret("api_key", "The API's key; a server of your own may need none.")),
    model("The model where a call names none; left out: `gpt-image-1`."),
  ],
  speech: [
    {
      name: "provider",
      type: "select",
      required: true,
      options: [...SPEECH_PROVIDERS],
      description:
        "Whose API it is; `openai` is any that speaks OpenAI's, `edge` is Azure Speech, `espeak_ng` the program on the workers.",
    },
    baseUrl(
      "Where the API is, as far as its version: `https://api.openai.com/v1`; left out: where its provider has it.",
    ),
    optional(secret("api_key", "The provider's key; a server of your own may need none.")),
    optional(text("region", "Of Azure Speech alone, in place of base_url, such as `westeurope`.")),
    model("The model; left out: a usual one of the provider's. Azure Speech has none beside the voice."),
    optional(
      text(
        "voice",
        "The voice where a call names none, as its provider knows it: `alloy`, `en-US-JennyNeural`, an id.",
      ),
    ),
  ],
};

const BOUNDS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  port: [1, 65_535],
  statementTimeoutMs: [100, QUERY_MS_MAX],
  maxRows: [1, QUERY_ROWS_MAX],
  maxBytes: [KIB, QUERY_BYTES_MAX],
};

/** What is wrong with the values of an entry beyond their types, by field; none of it says a value. */
export function kindFaults(
  kind: ServiceKind,
  values: Readonly<Record<string, ConfigValue>>,
): { field: string; message: string }[] {
  if (kind === "api") return [];
  return Object.entries(values).flatMap(([field, value]) => {
    const message = faultOf(kind, field, value);
    return message === null ? [] : [{ field, message }];
  });
}

function faultOf(kind: ServiceKind, field: string, value: ConfigValue): string | null {
  const bounds = Object.hasOwn(BOUNDS, field) ? BOUNDS[field] : undefined;
  if (bounds && typeof value === "number") {
    const [min, max] = bounds;
    return Number.isInteger(value) && value >= min && value <= max
      ? null
      : `must be a whole number from ${min} to ${max}`;
  }
  if (field === "host" && !/^[A-Za-z0-9._-]+$|^[0-9A-Fa-f:.]+$/.test(String(value)))
    return "must be a name or an address, without a scheme and a port";
  if (kind === "speech" && field === "region" && !/^[a-z0-9-]{1,40}$/.test(String(value)))
    return "must be a region's name, in small letters, digits and hyphens";
  if (kind !== "smtp") return null;
  if (field === "recipients") return readRecipients(String(value)).fault;
  return field === "from" ? senderFault(String(value)) : null;
}

const senderFault = (value: string): string | null =>
  readSender(value) === null ? "must be one address, or a name with one in angle brackets" : null;

/** `Tools <tools@example.com>` or a bare address; null for anything else. */
export function readSender(value: string): { name: string; address: string } | null {
  const [, name = "", inBrackets] = /^([^<>"\p{C}]*)<([^<>]+)>$/u.exec(value.trim()) ?? [];
  const address = inBrackets ?? value.trim();
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}
