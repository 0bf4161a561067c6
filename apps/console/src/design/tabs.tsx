import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Link } from "@tanstack/react-router";

interface Tab {
  /** In the address; the first one's stands there as nothing. */
  name: string;
  title: string;
  /** Behind the title, such as how much waits there. */
  mark?: ReactNode;
}

interface Props {
  label: string;
  tabs: readonly Tab[];
  current: string;
  /** What the address says where the tab is seen; else `tab` alone tells. */
  searchOf?: (name: string) => object;
}

/** Of the tab before the current one so much stays in view, where not all fit; pixels. */
const BEFORE = 48;

/** Parts of one page, each with an address of its own. */
export function Tabs({ label, tabs, current, searchOf }: Props) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    nav.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - BEFORE });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className="relative -mb-px flex gap-1 overflow-x-auto">
      {tabs.map(({ name, title, mark }, index) => (
        <Link
          key={name}
          to="."
          search={(before: object) => ({
            ...before,
            ...(searchOf?.(name) ?? { tab: index === 0 ? undefined : name }),
          })}
          // Else the first one counts as where one is, whichever tab that is.
          activeOptions={{ explicitUndefined: true }}
          aria-current={name === current ? "page" : undefined}
          className="border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {title}
          {mark}
        </Link>
      ))}
    </nav>
  );
}
