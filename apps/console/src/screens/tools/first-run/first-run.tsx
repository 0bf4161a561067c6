import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMayWrite } from "../../../data/session.ts";
import { Button } from "../../../design/button.tsx";
import { LINK } from "../../../design/classes.ts";
import { FileCode, type Icon, Plug, Sparkles } from "../../../design/icons.tsx";
import type { Begin } from "../new-menu.tsx";

/** What an empty tenant shows in the list's place: three ways to get the first tool. */
export function FirstRun({ begin }: { begin: (how: Begin) => void }) {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-10 md:px-6 md:py-16">
      <h2 className="text-xl font-semibold text-balance">There are no tools yet</h2>
      <p className="mt-1 max-w-xl text-ink-2 text-pretty">
        A tool is a piece of JavaScript with a description and a schema. Models and programs call it; it runs
        in a sandbox of its own, within limits that you set.
      </p>
      <div className="mt-6 grid gap-3 md:grid-cols-3">
        {mayWrite && (
          <>
            <Way
              icon={Sparkles}
              title="Start from a template"
              action={
                <Button look="primary" onClick={() => void navigate({ to: "/tools/new" })}>
                  See the templates
                </Button>
              }
            >
              Tools that work as they are, from looking up issues to cleaning text. Take one and change it.
            </Way>
            <Way
              icon={FileCode}
              title="Write or paste code"
              action={
                <Button onClick={() => void navigate({ to: "/tools/new", search: { from: "blank" } })}>
                  Write or paste
                </Button>
              }
            >
              A function that you have already. Give it a name and say what it does; the rest has sound
              defaults.
            </Way>
          </>
        )}
        <Way
          icon={Plug}
          title="Connect an agent"
          action={<Button onClick={() => begin("agent")}>Show how</Button>}
        >
          Claude, Cursor or your own agent reach this tenant by MCP, use its tools and propose new ones.
        </Way>
      </div>
      {mayWrite && (
        <p className="mt-6 text-sm text-ink-2">
          Have a folder or a zip of tools? Drop it here, or{" "}
          <button type="button" className={LINK} onClick={() => begin("import")}>
            choose one to import
          </button>
          .
        </p>
      )}
    </div>
  );
}

interface WayProps {
  icon: Icon;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

const Way = ({ icon: WayIcon, title, children, action }: WayProps) => (
  <section className="flex flex-col items-start rounded-lg border border-line bg-surface p-5">
    <span className="mb-3 flex size-9 items-center justify-center rounded-md bg-accent-soft text-accent-strong">
      <WayIcon size={18} />
    </span>
    <h3 className="font-semibold">{title}</h3>
    <p className="mt-1 mb-4 text-sm text-ink-2 text-pretty">{children}</p>
    <span className="mt-auto">{action}</span>
  </section>
);
