import { Words } from "../../design/words.tsx";

/** What is wrong with a part that has no field of its own to say it at; nothing where nothing is. */
export const Fault = ({ words }: { words: string | undefined }) =>
  words !== undefined && (
    <p className="mb-3 rounded-md bg-bad-soft px-3 py-2 text-sm break-words">
      <Words text={words} />
    </p>
  );
