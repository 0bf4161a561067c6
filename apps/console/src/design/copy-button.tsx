import { useState } from "react";
import { Button } from "./button.tsx";
import { Check, Copy } from "./icons.tsx";

const COPIED_MS = 1_500;

interface Props {
  text: string;
  /** What is copied, as it is read out. */
  label?: string;
  className?: string;
}

/** Puts a text as it is on the clipboard, and says so. */
export function CopyButton({ text, label = "Copy", className }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button
      look="quiet"
      icon={isCopied ? Check : Copy}
      aria-label={isCopied ? "Copied" : label}
      title={label}
      className={className}
      onClick={() => void copy()}
    />
  );
}
