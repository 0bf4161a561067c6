import { randomUUID } from "node:crypto";
import { openSse, type Product, type SseReader } from "@bulkhead/testing";

/** An answer with its parsed body; the tests look into it without types, as a stranger would. */
export interface Answer {
  status: number;
  headers: Headers;
  body: ReturnType<typeof JSON.parse>;
}

/** Calls the public API with one key. */
export class Client {
  readonly url: string;
  readonly key: string | null;

  constructor(url: string, key: string | null) {
    this.url = url;
    this.key = key;
  }

  get = (path: string, headers: Record<string, string> = {}) => this.#send("GET", path, undefined, headers);
  post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    this.#send("POST", path, body, headers);
  patch = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    this.#send("PATCH", path, body, headers);
  delete = (path: string, headers: Record<string, string> = {}) =>
    this.#send("DELETE", path, undefined, headers);

  /** A body exactly as given. */
  raw(method: string, path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    return answer(
      fetch(this.url + path, { method, body, headers: { ...this.#authorization(), ...headers } }),
    );
  }

  /** Runs a tool and follows it in one request. */
  stream(path: string, body: unknown): Promise<SseReader> {
    return openSse(this.url + path, { headers: this.#authorization(), body });
  }

  /** Follows an execution, from behind `lastEventId` when given. */
  follow(executionId: string, lastEventId?: string): Promise<SseReader> {
    const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const path = `/api/v1/executions/${executionId}/events`;
    return openSse(this.url + path, { headers: { ...this.#authorization(), ...resume } });
  }

  #authorization(): Record<string, string> {
    return this.key === null ? {} : { authorization: `Bearer ${this.key}` };
  }

  #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return answer(
      fetch(this.url + path, { method, ...sent, headers: { ...this.#authorization(), ...json, ...headers } }),
    );
  }
}

async function answer(pending: Promise<Response>): Promise<Answer> {
  const response = await pending;
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json");
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** A product that serves, and its platform administrator's key. */
export type Served = Pick<Product, "url" | "adminKey">;

/** A new tenant and a client with an owner's key of it. */
export async function newTenant(
  product: Served,
  limits: Record<string, number> = {},
): Promise<{ id: string; owner: Client }> {
  const admin = new Client(product.url, product.adminKey);
  const slug = `t-${randomUUID()}`;
  const tenant = await admin.post("/api/v1/tenants", { slug, name: slug, limits });
  if (tenant.status !== 201) throw new Error(`no tenant: ${JSON.stringify(tenant.body)}`);
  const { id } = tenant.body.data;
  return { id, owner: await newClient(product, id, "owner") };
}

/** A client with a new key of a tenant. */
export async function newClient({ url, adminKey }: Served, tenantId: string, role: string): Promise<Client> {
  const keys = `/api/v1/tenants/${tenantId}/api-keys`;
  const made = await new Client(url, adminKey).post(keys, { name: role, role });
  if (made.status !== 201) throw new Error(`no key: ${JSON.stringify(made.body)}`);
  return new Client(url, made.body.data.key);
}

/** Creates a tool and fails loudly when that is refused. */
export async function createTool(
  client: Client,
  name: string,
  code: string,
  more: Record<string, unknown> = {},
) {
  const parameters = { type: "object", properties: {} };
  const made = await client.post("/api/v1/custom-tools", {
    name,
    description: name,
    parameters,
    code,
    ...more,
  });
  if (made.status !== 201) throw new Error(`no tool: ${JSON.stringify(made.body)}`);
  return made.body.data;
}
