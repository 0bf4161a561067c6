import { requestEffect, type EffectAnswer } from "../effects.ts";
import { isArray, parseJson, promiseThen, stringifyJson } from "../primordials.ts";
import { takeText, wrongKind } from "./arguments.ts";

/** Asks the worker, which checks every argument; here only what could not be sent is refused. */
function ask(family: string, operation: string, args: object): Promise<unknown> {
  const answered = requestEffect(
    { kind: "capability", family, operation, argumentsJson: stringifyJson(args) },
    null,
    undefined,
    "capability",
  );
  const toValue = ({ body }: EffectAnswer): unknown => parseJson(body);
  return promiseThen(answered, toValue as () => unknown, undefined as never);
}

/** `utils.db`: a database of others, by the name of its service. */
export function db(name: unknown): { query(sql: unknown, params?: unknown): Promise<unknown> } {
  const database = takeText("db", "name", name);
  return {
    async query(sql: unknown, params: unknown = []): Promise<unknown> {
      if (!isArray(params)) throw wrongKind("db.query", "params must be an array");
      return ask("db", "query", { database, sql: takeText("db.query", "sql", sql), params });
    },
  };
}

/** `utils.email`: mail by a channel of the tenant's. */
export const email = {
  async send(mail: unknown): Promise<unknown> {
    if (typeof mail !== "object" || mail === null || isArray(mail))
      throw wrongKind("email.send", "the mail must be an object");
    return ask("email", "send", mail);
  },
};

const part =
  (name: string) =>
  (answer: unknown): unknown =>
    (answer as Record<string, unknown>)[name];

/** `utils.schedule`: the schedules that runs of this tool made for the caller. */
export const schedule = {
  async create(request: unknown): Promise<unknown> {
    if (typeof request !== "object" || request === null || isArray(request))
      throw wrongKind("schedule.create", "the schedule must be an object");
    return ask("schedule", "create", request);
  },
  async list(): Promise<unknown> {
    return promiseThen(ask("schedule", "list", {}), part("schedules") as () => unknown, undefined as never);
  },
  async remove(id: unknown): Promise<unknown> {
    return ask("schedule", "remove", { id: takeText("schedule.remove", "id", id) });
  },
};
