import { createHmac } from "node:crypto";
import type { EffectAnswer, HeldSecret, HmacRequest, OpenedService } from "@bulkhead/core";
import { refusal } from "./tool-calls.ts";

const FIELD_DEFAULT = "api_key";

/** The signature as the answer's body. Only services of the run's own config have keys. */
export function signData(services: readonly OpenedService[], request: HmacRequest): EffectAnswer {
  const key = findKey(services, request);
  if (typeof key === "string") return refusal("invalid_request", `utils.hmac: ${key}`);
  const { algorithm, encoding, data, dataEncoding } = request;
  const body = createHmac(algorithm, key.value).update(data, dataEncoding).digest(encoding);
  return { ok: true, head: "{}", body, bodyEncoding: "utf8" };
}

/** The key, or why there is none. */
function findKey(
  services: readonly OpenedService[],
  { service: name, entry: label, field }: HmacRequest,
): HeldSecret | string {
  const service = services.find((one) => one.name === name && one.kind === "api");
  if (!service) return `the tool declares no service "${name}", or nobody has set it up`;
  const { entries } = service;
  const entry =
    label === null
      ? (entries.find(({ isDefault }) => isDefault) ?? entries[0])
      : entries.find((one) => one.label === label);
  if (!entry) return `the service "${name}" has no entry${label === null ? "" : ` "${label}"`}`;
  const { secrets } = entry;
  const only = field === null && secrets.length === 1 ? secrets[0] : undefined;
  const wanted = field ?? FIELD_DEFAULT;
  const missing = `the service "${name}" has no secret "${wanted}" in its entry "${entry.label}"`;
  return secrets.find((secret) => secret.field === wanted) ?? only ?? missing;
}
