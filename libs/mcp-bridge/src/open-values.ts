import {
  configPlaceOf,
  newPlaceholder,
  type McpServer,
  type McpValue,
  type Needle,
  type OpenedService,
  type PlacedSecret,
  type ServiceConfigs,
} from "@bulkhead/core";
import { BridgeError } from "./bridge-error.ts";

/** A server's headers and environment as they are used for one connection. */
export interface OpenedValues {
  /** A secret stands in them as a placeholder, which egress exchanges. */
  headers: Record<string, string>;
  placed: PlacedSecret[];
  /** With the secrets themselves: a process has no way out. */
  env: Record<string, string>;
  /** The secrets among them, which must stand in nothing that leaves. */
  needles: Needle[];
}

/** Opens what a server's values name in the Config Center; a `BridgeError` names what is missing and the next step. */
export async function openValues(
  configs: Pick<ServiceConfigs, "open">,
  { tenantId, headers, env }: Pick<McpServer, "tenantId" | "headers" | "env">,
): Promise<OpenedValues> {
  const named = [...Object.values(headers), ...Object.values(env)].flatMap((value) =>
    typeof value === "string" ? [] : [configPlaceOf(value).service],
  );
  const services = named.length === 0 ? [] : await configs.open(tenantId, [...new Set(named)]);
  const placed: PlacedSecret[] = [];
  const needles: Needle[] = [];
  const open = (what: string, value: McpValue, isPlaced: boolean): string => {
    if (typeof value === "string") return value;
    const found = findValue(services, what, value);
    if (typeof found === "string") return found;
    needles.push(found);
    if (!isPlaced) return found.value;
    const placeholder = newPlaceholder();
    placed.push({ placeholder, secret: found });
    return placeholder;
  };
  const openAll = (kind: string, values: Record<string, McpValue>, isPlaced: boolean) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, open(`${kind} ${name}`, value, isPlaced)]),
    );
  return {
    headers: openAll("the header", headers, true),
    env: openAll("the environment variable", env, false),
    placed,
    needles,
  };
}

function findValue(services: readonly OpenedService[], what: string, named: Extract<McpValue, object>) {
  const { service, field } = configPlaceOf(named);
  const opened = services.find(({ name }) => name === service);
  if (!opened)
    throw new BridgeError(
      `${what} takes its value from the service "${service}", which isn't there: ` +
        `create it (POST /api/v1/config-services), then refresh the server`,
    );
  const entry = opened.entries.find(({ isDefault }) => isDefault);
  const secret = entry?.secrets.find((one) => one.field === field);
  if (secret) return secret;
  const plain = entry !== undefined && Object.hasOwn(entry.values, field) ? entry.values[field] : undefined;
  if (plain !== undefined) return String(plain);
  const entries = `/api/v1/config-services/${service}/entries`;
  throw new BridgeError(
    `${what} takes its value from the field "${field}" of the service "${service}", which has no value: ` +
      `fill it in (${entry ? `PATCH ${entries}/${entry.label}` : `POST ${entries}`}), then refresh the server`,
  );
}
