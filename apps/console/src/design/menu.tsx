import { type ReactNode, useId, useRef } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { classes } from "./classes.ts";
import { Check, type Icon } from "./icons.tsx";

interface Item {
  name: string;
  icon?: Icon;
  /** One that is on or off: the list stays open. */
  isOn?: boolean;
  /** It takes something away for good. */
  isDanger?: boolean;
  onChoose: () => void;
}

interface Props {
  label: string;
  icon: Icon;
  /** Words on the button; without them it is its icon. */
  children?: ReactNode;
  items: readonly Item[];
  look?: ButtonProps["look"];
  className?: string;
}

/** A button whose list opens below it; arrows go through it, Escape closes it. */
export function Menu({ label, icon, children, items, look = "plain", className }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const anchor = `--menu-${id.replaceAll(/\W/g, "")}`;
  const all = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []),
  ];
  const step = (event: React.KeyboardEvent, by: 1 | -1): void => {
    event.preventDefault();
    const buttons = all();
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons.at((at + by) % buttons.length)?.focus();
  };
  return (
    <>
      <Button
        icon={icon}
        look={look}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        style={{ anchorName: anchor }}
      >
        {children}
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onToggle={({ newState }) => newState === "open" && all()[0]?.focus()}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") step(event, 1);
          if (event.key === "ArrowUp") step(event, -1);
        }}
        className="max-h-[70dvh] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-pop"
        style={{
          positionAnchor: anchor,
          positionArea: "block-end span-inline-start",
          positionTryFallbacks: "flip-block",
          inset: "auto",
          margin: "4px 0 0",
        }}
      >
        {items.map(({ name, icon: ItemIcon, isOn, isDanger, onChoose }) => (
          <button
            key={name}
            type="button"
            role={isOn === undefined ? "menuitem" : "menuitemcheckbox"}
            aria-checked={isOn}
            className={classes(
              "flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:outline-none",
              isDanger && "text-bad",
            )}
            onClick={() => {
              if (isOn === undefined) list.current?.hidePopover();
              onChoose();
            }}
          >
            {isOn !== undefined && <Check size={15} className={isOn ? "text-accent-strong" : "invisible"} />}
            {ItemIcon && <ItemIcon size={15} className={isDanger ? "" : "text-ink-3"} />}
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
