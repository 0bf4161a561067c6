import type { PolicyDocument, PolicyDocumentInput } from "@bulkhead/client";
import { useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Part } from "../../design/part.tsx";
import { Words, wordsLine } from "../../design/words.tsx";
import { entryWords, type Said, sectionsOf } from "./policy-words.ts";

/** Entries of one list that are shown before somebody asks for more. */
const ENTRIES_FIRST = 40;

/** The document in words, section by section. */
export function Reading({
  document,
  isDraft,
}: {
  document: PolicyDocument | PolicyDocumentInput;
  isDraft: boolean;
}) {
  const sections = sectionsOf(document);
  return (
    <Part
      title="In words"
      aside={<span className="flex h-8 items-center">{isDraft && <Badge tone="warn">Not saved</Badge>}</span>}
    >
      <div
        className="max-h-96 overflow-y-auto rounded-lg border border-line bg-surface text-sm"
        tabIndex={0}
        role="region"
        aria-label="The policy in words"
      >
        {sections.length === 0 && (
          <p className="p-4 text-ink-2">
            The policy says nothing: every agent gets every tool, but for what MCP servers' grants say.
          </p>
        )}
        <ul className="divide-y divide-line">
          {sections.map(({ title, said }) => (
            <li key={title} className="px-4 py-2.5">
              <h3 className="font-medium break-words">
                <Words text={title} />
              </h3>
              <ul className="mt-1 flex flex-col gap-1.5">
                {said.map((one) => (
                  <List key={one.path} said={one} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    </Part>
  );
}

function List({ said: { words, entries, path } }: { said: Said }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, ENTRIES_FIRST);
  return (
    <li className="flex flex-wrap items-center gap-1.5" title={wordsLine(path)}>
      <span className="text-ink-2">
        <Words text={words} />
      </span>
      {shown.map((entry) => (
        <code
          key={entry}
          title={wordsLine(entryWords(entry))}
          className="max-w-full rounded-sm bg-calm-soft px-1.5 font-mono text-xs leading-5 break-all"
        >
          <Words text={entry} />
        </code>
      ))}
      {shown.length < entries.length && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {(entries.length - shown.length).toLocaleString()} more
        </Button>
      )}
    </li>
  );
}
