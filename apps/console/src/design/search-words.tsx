import { useEffect, useState } from "react";
import { SearchInput } from "./fields.tsx";

/** The server is asked once somebody has stopped typing for so long. */
const TYPED_MS = 200;

interface Props {
  label: string;
  placeholder: string;
  words: string;
  charsMax: number;
  change: (words: string | undefined) => void;
}

/** Words to search for, which `/` goes to; they are told once somebody stops typing. */
export function SearchWords({ label, placeholder, words, charsMax, change }: Props) {
  const [typed, setTyped] = useState(words);
  const [shown, setShown] = useState(words);
  // Words that came by the address, as by the browser's way back.
  if (words !== shown) {
    setShown(words);
    setTyped(words);
  }
  useEffect(() => {
    if (typed === words) return;
    const timer = setTimeout(() => change(typed === "" ? undefined : typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, words, change]);
  return (
    <SearchInput
      className="min-w-48 flex-1"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={charsMax}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
