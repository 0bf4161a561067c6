import type { ReactNode } from "react";

/** Fields that belong together, in one form. */
export const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="mb-2 text-xs font-semibold text-ink-2">{title}</legend>
    <div className="grid gap-4 sm:grid-cols-2">{children}</div>
  </fieldset>
);
