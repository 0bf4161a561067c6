import { Outlet } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useLive } from "../data/live.ts";
import { useApprovalNotifications } from "../data/notifications.ts";
import { useMe } from "../data/session.ts";
import { Button } from "../design/button.tsx";
import { Menu, Search } from "../design/icons.tsx";
import { Notices } from "../design/notices.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { useGoneTools } from "./gone-tools.ts";
import { LiveSign } from "./live-sign.tsx";
import { Mark } from "./mark.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { useShortcuts } from "./shortcuts.ts";

/** What stands around every screen of a person who is logged in. */
export function Shell() {
  const [isFinding, setFinding] = useState(false);
  const openPalette = useCallback(() => setFinding(true), []);
  useLive();
  useShortcuts(openPalette);
  useApprovalNotifications();
  useGoneTools();
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        To the content
      </a>
      <TopBar openPalette={openPalette} />
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-line bg-sunken px-3 py-4 md:flex">
        <div className="mb-4 flex items-center gap-2 px-1">
          <Tenant />
        </div>
        <button
          type="button"
          onClick={openPalette}
          className="mb-4 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-ink-3 hover:border-line-strong"
        >
          <Search size={15} />
          Find
          <kbd className="ml-auto font-sans text-xs">Ctrl K</kbd>
        </button>
        <Navigation />
      </aside>
      <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <Notices />
      {isFinding && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}

/** On narrow windows the navigation opens from the top. */
const TopBar = ({ openPalette }: { openPalette: () => void }) => (
  <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-sunken px-3 md:hidden">
    <span className="mr-auto flex min-w-0 items-center gap-2">
      <Tenant />
    </span>
    <Button look="quiet" icon={Search} aria-label="Find a tool, a page or an action" onClick={openPalette} />
    <LiveSign />
    <Button look="quiet" icon={Menu} aria-label="Pages" popoverTarget={NARROW_MENU} />
    <div
      id={NARROW_MENU}
      popover="auto"
      className="inset-auto top-12 right-0 left-auto m-0 h-[calc(100dvh-3rem)] w-64 flex-col border-l border-line bg-sunken p-3 text-ink shadow-pop open:flex"
      onClick={({ currentTarget, target }) => {
        if ((target as Element).closest("a") !== null) currentTarget.hidePopover();
      }}
    >
      <Navigation />
    </div>
  </header>
);

const NARROW_MENU = "narrow-menu";

function Tenant() {
  const { tenant } = useMe();
  return (
    <>
      <Mark />
      <span className="truncate font-semibold" title={tenant === null ? undefined : wordsLine(tenant.name)}>
        <Words text={tenant?.name ?? "Platform"} />
      </span>
    </>
  );
}
