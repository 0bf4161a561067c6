import type { Template } from "@bulkhead/client";
import { isObject } from "../../format/json-object.ts";
import type { Draft, Recorded } from "./draft.ts";

/** A call to try a tool with, and what the outside answers to it. */
export interface Example {
  name: string;
  arguments: Record<string, unknown>;
  recorded: Recorded | null;
}

type Said = Template["examples"][number]["example"];

export const exampleOfCall = (name: string, said: Pick<Said, "arguments" | "fetch" | "calls">): Example => {
  const { fetch, calls } = said;
  const isRecorded = fetch !== undefined || calls !== undefined;
  return {
    name: name.replace(/\.json$/, "").replaceAll(/[_-]+/g, " "),
    arguments: said.arguments,
    recorded: isRecorded ? { ...(fetch && { fetch }), ...(calls && { calls }) } : null,
  };
};

/** The examples that a tool's folder had, which its record keeps as they came. */
export function examplesIn({ metadata }: Pick<Draft, "metadata">): Example[] {
  const { package: folder } = metadata ?? {};
  const examples = isObject(folder) ? folder["examples"] : undefined;
  if (!isObject(examples)) return [];
  return Object.entries(examples).flatMap(([name, example]) =>
    isObject(example) && isObject(example["arguments"]) ? [exampleOfCall(name, example as Said)] : [],
  );
}
