import { type ReactNode, useRef } from "react";
import { Button } from "../../../design/button.tsx";
import { FileArchive, FolderOpen, type Icon } from "../../../design/icons.tsx";
import { type ImportSource, readChosen } from "../../../data/read-files.ts";

type Choose = (source: Promise<ImportSource>) => void;

/** Where somebody chooses what they don't drop. */
export const FoldersAsked = ({ choose }: { choose: Choose }) => (
  <div className="flex flex-col gap-4 text-sm text-ink-2">
    <p>
      Drop a folder or a zip anywhere on the page of tools, or choose one. Each folder with a{" "}
      <code className="font-mono text-ink">manifest.json</code> and a{" "}
      <code className="font-mono text-ink">tool.js</code> or{" "}
      <code className="font-mono text-ink">tool.ts</code> is a tool, as an export writes them. You see what
      would be done before anything is.
    </p>
    <div className="flex flex-wrap gap-2">
      <Chooser icon={FolderOpen} choose={choose} attributes={{ webkitdirectory: "" }}>
        Choose a folder
      </Chooser>
      <Chooser icon={FileArchive} choose={choose} attributes={{ accept: ".zip,application/zip" }}>
        Choose a zip
      </Chooser>
    </div>
  </div>
);

interface ChooserProps {
  icon: Icon;
  attributes: Readonly<Record<string, string>>;
  choose: Choose;
  children: ReactNode;
}

function Chooser({ icon, attributes, choose, children }: ChooserProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        {...attributes}
        onChange={({ target }) => {
          if (target.files !== null && target.files.length > 0) choose(readChosen(target.files));
        }}
      />
      <Button icon={icon} onClick={() => field.current?.click()}>
        {children}
      </Button>
    </>
  );
}
