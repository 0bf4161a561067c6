import { useState } from "react";
import { Button } from "./button.tsx";
import { Check, Copy } from "./icons.tsx";
import { notify } from "./notices.tsx";

const COPIED_MS = 1_500;

interface Props {
  text: string;
  /** What is copied, where more than one thing on the page can be. */
  what?: string;
  isSmall?: boolean;
  className?: string;
}

/** Puts a text into the clipboard; tells a person where the browser doesn't let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    notify("bad", "The browser doesn't let this page copy. Select the text, and copy it yourself.");
    return false;
  }
}

/** Puts a text into the clipboard, and says so for a moment. */
export function CopyButton({ text, what, isSmall = false, className }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  const words = what === undefined ? "Copy" : `Copy ${what}`;
  return (
    <Button
      look="quiet"
      isSmall={isSmall}
      icon={isCopied ? Check : Copy}
      aria-label={isCopied ? "Copied" : words}
      title={words}
      className={className}
      onClick={() => void copy()}
    />
  );
}
