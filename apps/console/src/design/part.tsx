import type { ReactNode } from "react";

/** A part of a page, under a heading of its own. */
export const Part = ({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="min-w-0">
    <div className="mb-2 flex items-center gap-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      {aside !== undefined && <span className="ml-auto flex items-center gap-2">{aside}</span>}
    </div>
    {children}
  </section>
);

/** Something with a border, under a small heading. */
export const Box = ({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="min-w-0 rounded-lg border border-line bg-surface">
    <div className="flex min-h-8 items-center gap-2 border-b border-line px-3 py-1">
      <h3 className="min-w-0 text-xs font-semibold break-words text-ink-2">{title}</h3>
      {aside !== undefined && <span className="ml-auto flex items-center gap-1">{aside}</span>}
    </div>
    <div className="p-3">{children}</div>
  </section>
);

/** Names and values below each other. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="divide-y divide-line rounded-lg border border-line bg-surface px-3 text-sm">
    {facts.map(([name, value]) => (
      <div key={name} className="flex items-baseline justify-between gap-4 py-1.5">
        <dt className="shrink-0 text-ink-2">{name}</dt>
        <dd className="min-w-0 text-right break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
