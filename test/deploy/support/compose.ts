import { readYaml } from "./files.ts";

export interface Service {
  image: string;
  user?: string;
  command?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  environment?: Record<string, string | number>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  deploy?: { replicas: number };
}

export interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
}

const VARIABLE = /\$(?:\$|\{([A-Z_]+)(?:(:-|:\?)([^}]*))?\})/g;

/** docker-compose.yml as Compose would see it with these variables. Throws where a required one is not given. */
export function readCompose(env: Readonly<Record<string, string>>): Compose {
  return fill(readYaml("docker-compose.yml"), (text) =>
    text.replace(VARIABLE, (all, name: string | undefined, kind: string | undefined, word = "") => {
      if (name === undefined) return "$";
      const value = env[name];
      if (value) return value;
      if (kind === ":?") throw new Error(`${name}: ${word}`);
      if (kind === undefined) throw new Error(`${name} is used without a default: ${all}`);
      return word;
    }),
  ) as Compose;
}

/** The variables of docker-compose.yml: name → whether it has to be given. */
export function composeVariables(): Map<string, boolean> {
  const found = new Map<string, boolean>();
  fill(readYaml("docker-compose.yml"), (text) => {
    for (const [, name, kind] of text.matchAll(VARIABLE))
      if (name !== undefined) found.set(name, (found.get(name) ?? false) || kind !== ":-");
    return text;
  });
  return found;
}

function fill(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => fill(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, change)]));
}
