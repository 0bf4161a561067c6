import { Link, Outlet } from "@tanstack/react-router";
import { LogOut, Monitor, Moon, Search, Sun, Wifi, WifiOff } from "../design/icons.tsx";
import { useCallback, useState } from "react";
import { useLive, useLiveState } from "../data/live.ts";
import { logOut, useMe } from "../data/session.ts";
import { Button } from "../design/button.tsx";
import { Notices } from "../design/notices.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { Mark } from "./mark.tsx";
import { Palette } from "./palette.tsx";
import { PLACES } from "./places.ts";
import { useShortcuts } from "./shortcuts.ts";
import { chooseTheme, chosenTheme, THEMES } from "./theme.ts";

/** What stands around every screen of a person who is logged in. */
export function Shell() {
  const [isFinding, setFinding] = useState(false);
  const openPalette = useCallback(() => setFinding(true), []);
  useLive();
  useShortcuts(openPalette);
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        To the content
      </a>
      <Sidebar openPalette={openPalette} />
      <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <Outlet />
      </main>
      <Notices />
      {isFinding && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}

function Sidebar({ openPalette }: { openPalette: () => void }) {
  const { tenant, key } = useMe();
  return (
    <header className="sticky top-0 z-20 flex shrink-0 items-center gap-1 border-b border-line bg-sunken px-3 py-2 md:h-dvh md:w-56 md:flex-col md:items-stretch md:border-r md:border-b-0 md:py-4">
      <div className="flex min-w-0 items-center gap-2 px-1 md:mb-5">
        <Mark />
        <span className="truncate font-semibold" title={tenant === null ? undefined : wordsLine(tenant.name)}>
          <Words text={tenant?.name ?? "Platform"} />
        </span>
      </div>
      <nav aria-label="Pages" className="flex flex-1 gap-1 overflow-x-auto md:flex-col">
        {PLACES.map(({ to, name, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className="flex h-8 items-center gap-2 rounded-md px-2 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
          >
            <Icon size={16} />
            {name}
          </Link>
        ))}
      </nav>
      <div className="flex items-center gap-1 md:flex-wrap">
        <Button
          look="quiet"
          icon={Search}
          aria-label="Find a tool, a page or an action"
          title="Find (Ctrl K)"
          onClick={openPalette}
        />
        <LiveSign />
        <ThemeButton />
        <Button
          look="quiet"
          icon={LogOut}
          aria-label="Log out"
          title="Log out"
          onClick={() => void logOut()}
        />
        <span
          className="hidden w-full truncate px-1 pt-1 text-xs text-ink-3 md:block"
          title={wordsLine(key.name)}
        >
          <Words text={key.name} /> · {key.role}
        </span>
      </div>
    </header>
  );
}

const SIGNS = {
  connecting: { icon: Wifi, words: "Connecting", className: "text-ink-3" },
  live: { icon: Wifi, words: "Live: changes show as they happen", className: "text-good" },
  reconnecting: { icon: WifiOff, words: "Reconnecting: what you see may be old", className: "text-warn" },
} as const;

function LiveSign() {
  const state = useLiveState();
  const { icon: Icon, words, className } = SIGNS[state];
  return (
    <span role="status" title={words} className={`flex size-8 items-center justify-center ${className}`}>
      <Icon size={15} />
      <span className="sr-only">{words}</span>
    </span>
  );
}

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const words = `Colours: ${theme}. Change to ${next}`;
  const change = (): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return <Button look="quiet" icon={ICONS[theme]} aria-label={words} title={words} onClick={change} />;
}
