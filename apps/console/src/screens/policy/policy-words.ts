import { isObject } from "../../format/json-object.ts";

/** One list of the document: what it does, and to which tools. */
export interface Said {
  /** Where it stands, as in `agents.alpha.deny`. */
  path: string;
  words: string;
  entries: readonly string[];
}

/** Lists that concern the same callers. */
export interface Section {
  title: string;
  said: readonly Said[];
}

/** What a profile leaves, in words. */
const PROFILES: Readonly<Record<string, string>> = {
  full: "keep every tool (profile full)",
  coding: "keep the tools for coding alone (profile coding)",
  messaging: "keep the tools for messages alone (profile messaging)",
  minimal: "keep nothing but the state of the session (profile minimal)",
};

// A draft may hold anything until the server has judged it; what is of another kind than it should be says nothing here.
const listIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? [...new Set(value.filter((one) => typeof one === "string"))] : undefined;
const recordIn = (value: unknown): Record<string, unknown> => (isObject(value) ? { ...value } : {});

const said = (path: string, words: string, value: unknown): Said[] => {
  const entries = listIn(value);
  return entries === undefined ? [] : [{ path, words, entries }];
};

const keeps = (path: string, value: unknown): Said[] =>
  said(path, listIn(value)?.length === 0 ? "keep no tool at all" : "keep only", value);

function saidOf(before: string, value: unknown): Said[] {
  const { profile, allow, deny, alsoAllow } = recordIn(value);
  const kept =
    typeof profile === "string" ? [PROFILES[profile] ?? `keep the tools of the profile ${profile}`] : [];
  return [
    ...kept.map((words) => ({ path: `${before}profile`, words, entries: [] })),
    ...keeps(`${before}allow`, allow),
    ...said(`${before}deny`, "lose", deny),
    ...said(`${before}alsoAllow`, "get back, whatever took it", alsoAllow),
  ];
}

function agentSection(name: string, of: unknown): Section {
  const providers = Object.entries(recordIn(recordIn(of)["byProvider"]));
  return {
    title: `The agent ${name}`,
    said: [
      ...saidOf(`agents.${name}.`, of),
      ...providers.flatMap(([provider, lists]) =>
        saidOf(`agents.${name}.byProvider.${provider}.`, lists).map((one) => ({
          ...one,
          words: `on ${provider}, ${one.words}`,
        })),
      ),
    ],
  };
}

/** The document in words, in about the order in which it is heard; nothing for one that says nothing. */
export function sectionsOf(document: unknown): Section[] {
  const policy = recordIn(document);
  const each = (field: string): [string, unknown][] => Object.entries(recordIn(policy[field]));
  const { deny, leafDeny } = recordIn(policy["subagents"]);
  const sections: Section[] = [
    { title: "All agents", said: saidOf("", policy) },
    ...each("byProvider").map(([name, of]) => ({
      title: `Agents on ${name}`,
      said: saidOf(`byProvider.${name}.`, of),
    })),
    ...each("agents").map(([name, of]) => agentSection(name, of)),
    ...each("groupAllow").map(([name, list]) => ({
      title: `Calls from the group ${name}`,
      said: keeps(`groupAllow.${name}`, list),
    })),
    {
      title: "Agents that another agent began",
      said: [
        ...said("subagents.deny", "lose", deny),
        ...said("subagents.leafDeny", "lose, where they begin none of their own", leafDeny),
      ],
    },
    { title: "Nobody, whatever else is said", said: said("forbid", "gets", policy["forbid"]) },
    {
      title: "Groups of your own",
      said: each("groups").flatMap(([name, list]) => said(`groups.${name}`, `group:${name} means`, list)),
    },
  ];
  return sections.filter((section) => section.said.length > 0);
}

/** What an entry means, for whoever points at it. */
export function entryWords(entry: string): string {
  if (entry.startsWith("?")) return `${entry.slice(1)}, whether it is there yet or not`;
  if (entry.startsWith("group:")) return `every tool of the group ${entry.slice(6)}`;
  if (entry.endsWith("*")) return `every tool whose name begins with ${entry.slice(0, -1)}`;
  return `the tool ${entry}`;
}
