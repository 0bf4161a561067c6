import { Client, newClient, newTenant, type Served } from "./client.ts";

/** A tenant whose agents may call and make tools without being asked about. */
export interface AgentTenant {
  owner: Client;
  /** Keys of the role agent: of the agents "one" and "two", and of none. */
  one: Client;
  two: Client;
  none: Client;
}

export async function newAgentTenant(
  product: Served,
  limits: Record<string, number> = {},
): Promise<AgentTenant> {
  const { id, owner } = await newTenant(product, limits);
  await owner.patch("/api/v1/tenant/settings", {
    approval: { default: "preApproved", metaTools: "preApproved" },
  });
  const keyOf = async (agent: object) => {
    const made = await owner.post(`/api/v1/tenants/${id}/api-keys`, { name: "bot", role: "agent", ...agent });
    if (made.status !== 201) throw new Error(`no key: ${JSON.stringify(made.body)}`);
    return new Client(product.url, made.body.data.key);
  };
  const [one, two, none] = await Promise.all([
    keyOf({ agentId: "one" }),
    keyOf({ agentId: "two" }),
    keyOf({}),
  ]);
  return { owner, one, two, none };
}

/** Keys of one tenant, by their roles. */
export async function newTeam(product: Served): Promise<Record<"owner" | "agent" | "viewer", Client>> {
  const { id, owner } = await newTenant(product);
  const [agent, viewer] = await Promise.all([
    newClient(product, id, "agent"),
    newClient(product, id, "viewer"),
  ]);
  return { owner, agent, viewer };
}

/** Calls a meta-tool. */
export const meta = (client: Client, name: string, body: object) =>
  client.post(`/api/v1/meta-tools/${name}`, body);

/** The parameters of a tool that takes none, as a model writes them. */
export const NO_ARGUMENTS = JSON.stringify({ type: "object", properties: {} });

/** `create_tool`, as a model calls it. */
export const makeTool = (client: Client, name: string, more: object = {}) =>
  meta(client, "create_tool", {
    name,
    description: name,
    parameters: NO_ARGUMENTS,
    code: "return 1",
    ...more,
  });
