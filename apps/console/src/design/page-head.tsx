import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ArrowLeft } from "./icons.tsx";
import { Words, wordsLine } from "./words.tsx";

interface Props {
  /** In the browser's tab, too. */
  title: string;
  /** What is shown in the title's place, where it looks otherwise. */
  heading?: ReactNode;
  /** The list that this is one of. */
  back?: { to: string; name: string };
  /** States beside the title. */
  badges?: ReactNode;
  /** Buttons, at the end. */
  actions?: ReactNode;
  /** A sentence, figures or tabs below. */
  children?: ReactNode;
}

/** What a screen begins with: where one is, how it stands, what can be done. */
export const PageHead = ({
  title,
  heading = <Words text={title} />,
  back,
  badges,
  actions,
  children,
}: Props) => (
  <header className="border-b border-line px-4 pt-5 md:px-6">
    <title>{`${wordsLine(title)} · Bulkhead`}</title>
    {back !== undefined && (
      <Link
        to={back.to}
        className="-mt-1 mb-2 inline-flex items-center gap-1 text-sm text-ink-2 hover:text-ink"
      >
        <ArrowLeft size={14} />
        {back.name}
      </Link>
    )}
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="min-w-0 text-xl font-semibold break-words">{heading}</h1>
      {badges}
      {actions !== undefined && <span className="ml-auto flex flex-wrap gap-2">{actions}</span>}
    </div>
    {children}
  </header>
);
