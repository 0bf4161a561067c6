import { Link } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { useAgentIds } from "../../data/agents.ts";
import { Button } from "../../design/button.tsx";
import { SearchInput, TextInput } from "../../design/fields.tsx";
import { Search, X } from "../../design/icons.tsx";
import { Words } from "../../design/words.tsx";
import {
  type ChangeFiles,
  type FilesSearch,
  PATTERN_CHARS_MAX,
  stepsTo,
  WHO_CHARS_MAX,
} from "./files-search.ts";

interface Props {
  search: FilesSearch;
  change: ChangeFiles;
}

/** Whose files are seen: the tenant's, an agent's, or a user's. */
export function WorkspaceChoice({ search, change }: Props) {
  const list = useId();
  const agents = useAgentIds();
  const [agent, setAgent] = useState(search.agent ?? "");
  const [user, setUser] = useState(search.user ?? "");
  const [shown, setShown] = useState(search);
  // What came by the address, as by the browser's way back.
  if (shown.agent !== search.agent || shown.user !== search.user) {
    setShown(search);
    setAgent(search.agent ?? "");
    setUser(search.user ?? "");
  }
  const isOther = agent.trim() !== (search.agent ?? "") || user.trim() !== (search.user ?? "");
  const show = (event: FormEvent): void => {
    event.preventDefault();
    change({ agent: agent.trim() || undefined, user: user.trim() || undefined, in: undefined });
  };
  return (
    <form className="mb-4 flex flex-wrap items-center gap-2" aria-label="Whose files" onSubmit={show}>
      <TextInput
        aria-label="Agent"
        placeholder="Agent: none, the tenant's"
        className="w-56!"
        list={list}
        value={agent}
        maxLength={WHO_CHARS_MAX}
        onChange={({ target }) => setAgent(target.value)}
      />
      <datalist id={list}>
        {agents.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <TextInput
        aria-label="User"
        placeholder="User: none"
        className="w-44!"
        value={user}
        maxLength={WHO_CHARS_MAX}
        onChange={({ target }) => setUser(target.value)}
      />
      <Button type="submit" disabled={!isOther}>
        Show
      </Button>
    </form>
  );
}

interface BreadcrumbProps {
  folder: string;
  search: FilesSearch;
  /** The folder is a link, too: something in it is seen. */
  isWhole?: boolean;
}

/** The way down to the folder, each step a link. */
export function Breadcrumbs({ folder, search, isWhole = false }: BreadcrumbProps) {
  const { agent, user } = search;
  const whose = { agent, user } as FilesSearch;
  const root = [agent === undefined ? "Workspace" : agent, ...(user === undefined ? [] : [user])].join(" / ");
  const steps = stepsTo(folder);
  return (
    <nav aria-label="Folders" className="mb-3 flex flex-wrap items-center gap-1 text-sm">
      <Step isHere={steps.length === 0 && !isWhole} name={root} search={whose} />
      {steps.map(({ name, path }, at) => (
        <span key={path} className="flex min-w-0 items-center gap-1">
          <span className="text-ink-3" aria-hidden>
            /
          </span>
          <Step isHere={at === steps.length - 1 && !isWhole} name={name} search={{ ...whose, in: path }} />
        </span>
      ))}
    </nav>
  );
}

const Step = ({ isHere, name, search }: { isHere: boolean; name: string; search: FilesSearch }) =>
  isHere ? (
    <span aria-current="page" className="font-medium">
      <Words text={name} />
    </span>
  ) : (
    <Link to="/files" search={search} className="rounded-sm text-ink-2 hover:text-ink hover:underline">
      <Words text={name} />
    </Link>
  );

/** Looks for lines in the files below the folder, and for files by their paths. */
export function SearchForm({ search, change }: Props) {
  const [pattern, setPattern] = useState(search.q ?? "");
  const [glob, setGlob] = useState(search.glob ?? "");
  const [isIgnoring, setIgnoring] = useState(search.case === "ignored");
  const [shown, setShown] = useState(search);
  // What came by the address, as by the browser's way back.
  if (shown.q !== search.q || shown.glob !== search.glob || shown.case !== search.case) {
    setShown(search);
    setPattern(search.q ?? "");
    setGlob(search.glob ?? "");
    setIgnoring(search.case === "ignored");
  }
  const find = (event: FormEvent): void => {
    event.preventDefault();
    change({
      q: pattern || undefined,
      glob: glob.trim() || undefined,
      case: isIgnoring && pattern !== "" ? "ignored" : undefined,
    });
  };
  const clear = (): void => change({ q: undefined, glob: undefined, case: undefined });
  const isSearching = search.q !== undefined || search.glob !== undefined;
  return (
    <form role="search" className="mb-3 flex flex-wrap items-center gap-2" onSubmit={find}>
      <SearchInput
        className="min-w-48 flex-1"
        aria-label="Text in files, as a regular expression"
        placeholder="Text in files (a regular expression)"
        value={pattern}
        maxLength={PATTERN_CHARS_MAX}
        onChange={({ target }) => setPattern(target.value)}
      />
      <TextInput
        aria-label="Of files whose path is like"
        placeholder="Path like **/*.md"
        className="w-44!"
        value={glob}
        maxLength={PATTERN_CHARS_MAX}
        onChange={({ target }) => setGlob(target.value)}
      />
      <label className="flex h-8 items-center gap-1.5 text-sm text-ink-2">
        <input
          type="checkbox"
          className="accent-accent"
          checked={isIgnoring}
          onChange={({ target }) => setIgnoring(target.checked)}
        />
        Ignore case
      </label>
      <Button type="submit" icon={Search} disabled={pattern === "" && glob.trim() === ""}>
        Find
      </Button>
      {isSearching && <Button look="quiet" icon={X} aria-label="Show the folder again" onClick={clear} />}
    </form>
  );
}
