import { CloudOff, type Icon, Lock, SearchX } from "./icons.tsx";
import { BulkheadError } from "@bulkhead/client";
import type { ReactNode } from "react";
import { wordsOf } from "../data/api.ts";
import { Button } from "./button.tsx";
import { Words } from "./words.tsx";

interface PictureProps {
  icon: Icon;
  title: string;
  children?: ReactNode;
  /** What may be done next. */
  actions?: ReactNode;
}

/** What stands where a list or a record would: one sentence that says how it is, one that says what to do. */
export const Picture = ({ icon: Icon, title, children, actions }: PictureProps) => (
  <div className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
    <span className="mb-4 flex size-12 items-center justify-center rounded-lg border border-line bg-sunken text-ink-3">
      <Icon size={22} strokeWidth={1.75} />
    </span>
    <h2 className="text-lg font-semibold text-balance">{title}</h2>
    {children !== undefined && <p className="mt-1 text-ink-2 text-pretty">{children}</p>}
    {actions !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
  </div>
);

interface NoneProps {
  /** What is listed: one of it, in words. */
  what: string;
  onClear: () => void;
}

/** In place of a list of which words and filters leave nothing. */
export const NoneLikeThat = ({ what, onClear }: NoneProps) => (
  <Picture
    icon={SearchX}
    title={`No ${what} is like that`}
    actions={<Button onClick={onClear}>Show all {what}s</Button>}
  >
    Nothing matches these words and filters.
  </Picture>
);

interface FailedProps {
  error: unknown;
  onRetry: () => void;
}

/** What could not be had: refused to this key, or failed, which may be tried again. */
export function Failed({ error, onRetry }: FailedProps) {
  const words = wordsOf(error);
  if (error instanceof BulkheadError && error.status === 403)
    return (
      <Picture icon={Lock} title="Your key may not see this">
        <Words text={words} /> An owner of the tenant can make a key with another role.
      </Picture>
    );
  return (
    <div role="alert">
      <Picture
        icon={CloudOff}
        title="This could not be loaded"
        actions={<Button onClick={onRetry}>Try again</Button>}
      >
        <Words text={words} />
      </Picture>
    </div>
  );
}

/** What comes, as grey bars; read out as words. */
export const Loading = ({ what }: { what: string }) => (
  <div className="p-4 md:p-6" role="status" aria-busy>
    <span className="sr-only">Loading {what}</span>
    <Skeleton className="mb-4 h-7 w-56" />
    <Skeleton className="mb-2 h-12" />
    <Skeleton className="mb-2 h-12" />
    <Skeleton className="h-12" />
  </div>
);

/** Grey bars in the place of what comes. */
export const Skeleton = ({ className = "" }: { className?: string }) => (
  <span className={`block animate-pulse rounded-md bg-calm-soft ${className}`} aria-hidden />
);
