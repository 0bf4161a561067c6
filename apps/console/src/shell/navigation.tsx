import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../data/session.ts";
import { Button } from "../design/button.tsx";
import { LogOut, Monitor, Moon, Sun } from "../design/icons.tsx";
import { Words, wordsLine } from "../design/words.tsx";
import { leave } from "./leave.ts";
import { LiveSign } from "./live-sign.tsx";
import { usePlaces } from "./places.ts";
import { chooseTheme, chosenTheme, THEMES } from "./theme.ts";

/** Every page, then who one is and how it looks. */
export function Navigation() {
  const { key } = useMe();
  const groups = usePlaces();
  return (
    <>
      <nav aria-label="Pages" className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto">
        {groups.map((places) => (
          <div key={places[0]?.to} className="flex flex-col gap-0.5">
            {places.map(({ to, name, icon: Icon, useCount }) => (
              <Link
                key={to}
                to={to}
                className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
              >
                <Icon size={16} />
                {name}
                {useCount !== undefined && <Count use={useCount} />}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="mt-3 border-t border-line pt-3">
        <p className="truncate px-2 text-xs text-ink-3" title={wordsLine(key.name)}>
          <Words text={key.name} /> · {key.role}
        </p>
        <div className="mt-1 flex items-center gap-1">
          <LiveSign hasWords />
          <ThemeButton />
          <Button
            look="quiet"
            icon={LogOut}
            aria-label="Log out"
            title="Log out"
            onClick={() => void leave()}
          />
        </div>
      </div>
    </>
  );
}

/** How many wait there; nothing where none does. */
function Count({ use: useCount }: { use: () => number }) {
  const count = useCount();
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-warn-soft px-1.5 text-xs text-warn tabular-nums">
      {count.toLocaleString()}
      <span className="sr-only"> waiting</span>
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
