import type { Tool } from "@bulkhead/client";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { useFoundTools } from "../../data/tools.ts";
import { classes } from "../../design/classes.ts";
import { Field, TextInput } from "../../design/fields.tsx";
import { Words } from "../../design/words.tsx";

const FOUND_MAX = 6;

interface Props {
  /** The name of the tool that is chosen; empty: none. */
  chosen: string;
  fault: string | undefined;
  onChoose: (tool: Tool) => void;
}

/** Chooses a tool by words, as the server finds it. */
export function ToolField({ chosen, fault, onChoose }: Props) {
  const list = useId();
  const [words, setWords] = useState(chosen);
  const [at, setAt] = useState(0);
  const isSearching = words !== chosen;
  const { data: found = [], isPending } = useFoundTools(
    useDeferredValue(isSearching ? words.trim() : ""),
    FOUND_MAX,
  );
  const choose = (tool: Tool | undefined): void => {
    if (tool === undefined) return;
    onChoose(tool);
    setWords(tool.name);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isSearching || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) choose(found[at]);
    else setAt((at + step + found.length) % Math.max(1, found.length));
  };
  return (
    <Field
      label="Tool"
      fault={isSearching && chosen !== "" ? `So far it is ${chosen}; choose another below.` : fault}
      hint="Type words of its name or description."
    >
      {(tie) => (
        <>
          <TextInput
            {...tie}
            data-first
            role="combobox"
            aria-expanded={isSearching}
            aria-controls={list}
            aria-activedescendant={isSearching && found.length > 0 ? `${list}-${at}` : undefined}
            autoComplete="off"
            value={words}
            maxLength={100}
            onChange={({ target }) => {
              setWords(target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <ul
            id={list}
            role="listbox"
            aria-label="Tools that were found"
            className={classes("rounded-md border border-line", !isSearching && "hidden")}
          >
            {found.map((tool, index) => (
              <li
                key={tool.id}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === at}
                onClick={() => choose(tool)}
                onMouseMove={() => setAt(index)}
                className={classes(
                  "flex cursor-pointer gap-3 px-2.5 py-1.5 text-sm",
                  index === at && "bg-accent-soft",
                )}
              >
                <span className="shrink-0 font-mono text-xs leading-5 font-medium">{tool.name}</span>
                <span className="min-w-0 truncate text-xs leading-5 text-ink-2">
                  <Words text={tool.description} />
                </span>
              </li>
            ))}
            {found.length === 0 && (
              <li role="option" aria-selected={false} className="px-2.5 py-1.5 text-sm text-ink-3">
                {words.trim() === "" || isPending ? "Type to search." : "No tool is found."}
              </li>
            )}
          </ul>
        </>
      )}
    </Field>
  );
}
