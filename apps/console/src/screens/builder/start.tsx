import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { useTemplates } from "../../data/templates.ts";
import { useFoundTools } from "../../data/tools.ts";
import { Badge } from "../../design/badge.tsx";
import { Copy, FileCode, FilePlus, type Icon, Terminal } from "../../design/icons.tsx";
import { TextInput } from "../../design/fields.tsx";
import { PageHead } from "../../design/page-head.tsx";
import { Failed, Loading, Picture } from "../../design/page-states.tsx";
import { Part } from "../../design/part.tsx";
import { Words } from "../../design/words.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import type { KeptDraft } from "./kept-draft.ts";

interface Props {
  /** A draft that was dropped just now. */
  dropped: KeptDraft | null;
  onBringBack: () => void;
}

const CARD =
  "relative flex flex-col items-start gap-1.5 rounded-lg border border-line bg-surface p-4 hover:border-line-strong hover:bg-hover";
/** The card as a whole is what is pressed. */
const CARD_LINK = "font-semibold after:absolute after:inset-0 after:rounded-lg";

/** How to begin a new tool: with nothing, with a template, or with a tool that is there. */
export function Start({ dropped, onBringBack }: Props) {
  return (
    <>
      <PageHead title="New tool" back={{ to: "/tools", name: "Tools" }} />
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-8 p-4 md:p-6">
        {dropped !== null && (
          <p
            role="status"
            className="flex flex-wrap items-center gap-x-3 rounded-md bg-info-soft px-3 py-1.5 text-sm"
          >
            The draft is dropped.
            <button type="button" className="font-medium underline underline-offset-2" onClick={onBringBack}>
              Bring it back
            </button>
          </p>
        )}
        <div className="grid gap-3 md:grid-cols-3">
          <div className={CARD}>
            <Sign icon={FilePlus} />
            <Link to="/tools/new" search={{ from: "blank" }} data-row className={CARD_LINK}>
              Write or paste code
            </Link>
            <span className="text-sm text-ink-2">
              An empty page. A function that you have already will do: paste it as it is.
            </span>
          </div>
          <div className={CARD}>
            <Sign icon={Terminal} />
            <Link to="/tools/new" search={{ from: "command" }} data-row className={CARD_LINK}>
              Write a command
            </Link>
            <span className="text-sm text-ink-2">
              A line of a shell in place of code: it runs over its caller&apos;s files, with their arguments
              as words.
            </span>
          </div>
          <CopyCard />
        </div>
        <Templates />
      </div>
    </>
  );
}

const Sign = ({ icon: SignIcon }: { icon: Icon }) => (
  <span className="mb-1 flex size-8 items-center justify-center rounded-md bg-accent-soft text-accent-strong">
    <SignIcon size={16} />
  </span>
);

const FOUND_MAX = 5;

function CopyCard() {
  const [words, setWords] = useState("");
  const { data: found = [], isSuccess } = useFoundTools(useDeferredValue(words.trim()), FOUND_MAX);
  return (
    <div className="flex flex-col items-start gap-1.5 rounded-lg border border-line bg-surface p-4">
      <Sign icon={Copy} />
      <h2 className="font-semibold">Copy a tool</h2>
      <TextInput
        aria-label="Find a tool to copy"
        placeholder="Words of its name or description"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {isSuccess && found.length === 0 && <p className="text-sm text-ink-3">No tool is like that.</p>}
      <ul className="w-full">
        {found
          .filter(({ mcp }) => mcp === undefined)
          .map(({ id, name }) => (
            <li key={id}>
              <Link
                to="/tools/new"
                search={{ from: "tool", of: id }}
                className="block truncate rounded-md px-2 py-1 font-mono text-sm hover:bg-hover"
              >
                <Words text={name} />
              </Link>
            </li>
          ))}
      </ul>
    </div>
  );
}

function Templates() {
  const { data: templates, error, isPending, refetch } = useTemplates();
  if (isPending) return <Loading what="the templates" />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <Part title="Start from a template">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-3">
        {templates.map(({ name, title, description, permissions, services }) => (
          <li key={name} className={CARD}>
            <Link to="/tools/new" search={{ from: "template", of: name }} data-row className={CARD_LINK}>
              {title}
            </Link>
            <span className="line-clamp-3 text-sm text-ink-2">{description}</span>
            <span className="mt-auto flex flex-wrap gap-1.5 pt-1">
              {permissions.map((permission) => (
                <Badge key={permission} tone="calm">
                  {permission}
                </Badge>
              ))}
              {services.map((service) => (
                <Badge key={service} tone="warn">
                  needs a key for {service}
                </Badge>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Of a template that imports packages: a server takes it once it is bundled. */
export const NeedsBundling = ({ name }: { name: string }) => (
  <>
    <PageHead title={name} back={{ to: "/tools/new", name: "New tool" }} />
    <Picture icon={FileCode} title="Its code imports packages">
      They are bundled into it by the command line, which then pushes the tool here:
    </Picture>
    <div className="mx-auto -mt-10 w-full max-w-md px-4">
      <CodeBlock text={`bulkhead new ${name}\nbulkhead push ${name}`} label="Commands" />
    </div>
  </>
);
