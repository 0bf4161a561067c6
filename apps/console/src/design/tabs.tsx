import { Link } from "@tanstack/react-router";

export interface Tab {
  /** In the address; the first one's stands there as nothing. */
  name: string;
  title: string;
}

/** Parts of one page, each with an address of its own. */
export const Tabs = ({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) => (
  <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto">
    {tabs.map(({ name, title }, index) => (
      <Link
        key={name}
        to="."
        search={(before: object) => ({ ...before, tab: index === 0 ? undefined : name }) as never}
        activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
        aria-current={name === current ? "page" : undefined}
        className="border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
      >
        {title}
      </Link>
    ))}
  </nav>
);
