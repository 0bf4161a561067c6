import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";
import { useState } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { CodeText } from "./code-text.tsx";

type Json = unknown;

/** Entries of one level, and characters of one text, that are shown before somebody asks for more. */
const ENTRIES_FIRST = 100;
const CHARS_FIRST = 2_000;
/** Levels that are open at first. */
const DEPTH_OPEN = 2;

/**
 * JSON as a tree: what is within opens by a press or by the keyboard, and is not there before, since a hundred entries of a
 * hundred each are a million elements at the third level; what is long is cut until asked for.
 */
export const JsonTree = ({ value }: { value: Json }) => (
  <div className="font-mono text-sm leading-6 wrap-anywhere">
    <Node value={value} depth={0} />
  </div>
);

function Node({ name, value, depth }: { name?: string; value: Json; depth: number }) {
  const [isOpen, setOpen] = useState(depth < DEPTH_OPEN);
  if (typeof value !== "object" || value === null) return <Leaf name={name} value={value} />;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  if (entries.length === 0)
    return (
      <div>
        <Name name={name} />
        {open}
        {close}
      </div>
    );
  const what = isList ? "items" : "fields";
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer rounded-sm marker:text-ink-3 hover:bg-hover">
        <Name name={name} />
        <span className="text-ink-3">
          {open} {entries.length.toLocaleString()} {entries.length === 1 ? what.slice(0, -1) : what} {close}
        </span>
      </summary>
      {isOpen && <Entries entries={entries} depth={depth} />}
    </details>
  );
}

function Entries({ entries, depth }: { entries: [string, Json][]; depth: number }) {
  const [count, setCount] = useState(ENTRIES_FIRST);
  return (
    <div className="ml-1.5 border-l border-line pl-4">
      {entries.slice(0, count).map(([name, value]) => (
        <Node key={name} name={name} value={value} depth={depth + 1} />
      ))}
      {entries.length > count && (
        <Button look="quiet" onClick={() => setCount(count + ENTRIES_FIRST)}>
          {(entries.length - count).toLocaleString()} more
        </Button>
      )}
    </div>
  );
}

const Name = ({ name }: { name: string | undefined }) =>
  name !== undefined && (
    <span className="text-ink-2">
      <bdi>{harmlessLine(name)}</bdi>:{" "}
    </span>
  );

const LOOKS: Readonly<Record<string, string>> = {
  string: "text-good",
  number: "text-info",
  boolean: "text-ai",
};

function Leaf({ name, value }: { name: string | undefined; value: Json }) {
  const [isWhole, setWhole] = useState(false);
  const text = harmlessJson(value);
  const isCut = !isWhole && text.length > CHARS_FIRST;
  return (
    <div>
      <Name name={name} />
      <span className={classes("whitespace-pre-wrap", LOOKS[typeof value] ?? "text-ink-3")}>
        <CodeText text={isCut ? text.slice(0, CHARS_FIRST) : text} />
      </span>
      {isCut && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </Button>
      )}
    </div>
  );
}
