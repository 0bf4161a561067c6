import type { Draft } from "./draft.ts";

type Metadata = Draft["metadata"];

/** The tags that the metadata hold, as templates and imports write them. */
export function tagsIn(metadata: Metadata): string[] {
  const { tags } = metadata ?? {};
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

/** The metadata with the tags of a text that has commas between them; none leaves no trace. */
export function withTags(metadata: Metadata, text: string): Metadata {
  const tags = [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
  const { tags: _former, ...others } = metadata ?? {};
  if (tags.length > 0) return { ...others, tags };
  return Object.keys(others).length === 0 ? undefined : others;
}
