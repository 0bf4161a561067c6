import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { useMe } from "../data/session.ts";
import { useFoundTools } from "../data/tools.ts";
import { classes } from "../design/classes.ts";
import { Dialog } from "../design/dialog.tsx";
import { SearchInput } from "../design/fields.tsx";
import { type Icon, LogOut, Monitor, Moon, Sun, Wrench } from "../design/icons.tsx";
import { Words } from "../design/words.tsx";
import { leave } from "./leave.ts";
import { usePlaces } from "./places.ts";
import { SHORTCUTS } from "./shortcuts.ts";
import { chooseTheme } from "./theme.ts";

interface Choice {
  key: string;
  name: string;
  about: string;
  icon: Icon;
  onChoose: () => void;
}

const TOOLS_MAX = 8;
const WORDS_MAX = 100;

/** Finds by words what one can go to or do, from every page: Ctrl-K. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const choices = useChoices(words.trim());
  const chosen = Math.min(at, choices.length - 1);
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.onChoose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === "Enter") choose(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <SearchInput
        data-first
        role="combobox"
        aria-label="Find a tool, a page or an action"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={`${list}-${chosen}`}
        placeholder="A tool, a page, an action"
        value={words}
        maxLength={WORDS_MAX}
        onChange={({ target }) => {
          setWords(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="What was found" className="mt-3 min-h-64">
        {choices.map((choice, index) => (
          <li
            key={choice.key}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(choice)}
            onMouseMove={() => setAt(index)}
            className={classes(
              "flex cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 text-sm",
              index === chosen && "bg-accent-soft",
            )}
          >
            <choice.icon size={15} className="shrink-0 text-ink-3" />
            <span className="min-w-0 truncate font-medium">
              <Words text={choice.name} />
            </span>
            <span className="ml-auto min-w-0 truncate text-xs text-ink-3">
              <Words text={choice.about} />
            </span>
          </li>
        ))}
        {choices.length === 0 && <li className="px-2 py-1.5 text-sm text-ink-3">Nothing was found.</li>}
      </ul>
      {words === "" && <Keys />}
    </Dialog>
  );
}

const Keys = () => (
  <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line pt-3 text-xs text-ink-2">
    {SHORTCUTS.map(([keys, what]) => (
      <div key={keys} className="contents">
        <dt className="font-mono">{keys}</dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
);

/** Pages and actions by their names, and tools as the server finds them. */
function useChoices(words: string): Choice[] {
  const navigate = useNavigate();
  const search = useDeferredValue(words);
  const { data: found = [] } = useFoundTools(useMe().tenant === null ? "" : search, TOOLS_MAX);
  const places = usePlaces()
    .flat()
    .map(({ to, name, icon, key }) => ({
      key: to,
      name,
      about: `g ${key}`,
      icon,
      onChoose: () => void navigate({ to }),
    }));
  const looks = [
    { name: "Light colours", theme: "light", icon: Sun },
    { name: "Dark colours", theme: "dark", icon: Moon },
    { name: "Colours of the machine", theme: "system", icon: Monitor },
  ] as const;
  const actions = looks.map(({ name, theme, icon }) => ({
    key: theme,
    name,
    about: "",
    icon,
    onChoose: () => chooseTheme(theme),
  }));
  const out = { key: "leave", name: "Log out", about: "", icon: LogOut, onChoose: () => void leave() };
  const fixed = [...places, ...actions, out].filter(({ name }) =>
    name.toLowerCase().includes(words.toLowerCase()),
  );
  const tools = found.map(({ id, name, description }) => ({
    key: id,
    name,
    about: description,
    icon: Wrench,
    onChoose: () => void navigate({ to: "/tools/$toolId", params: { toolId: id } }),
  }));
  return words === "" ? fixed : [...tools, ...fixed];
}
