import { FileCode, Plug, Plus, Sparkles, Upload } from "../../design/icons.tsx";
import { Button } from "../../design/button.tsx";
import { Menu } from "../../design/menu.tsx";
import type { Begin } from "./first-run/begin-tool.tsx";

/** Every way to get a tool, at the head of their page. */
export const NewMenu = ({ begin }: { begin: (how: Begin) => void }) => (
  <>
    <Button icon={Upload} onClick={() => begin("import")}>
      Import
    </Button>
    <Menu
      label="New tool"
      icon={Plus}
      look="primary"
      items={[
        { name: "From a template", icon: Sparkles, onChoose: () => begin("template") },
        { name: "Paste code", icon: FileCode, onChoose: () => begin("code") },
        { name: "Connect an agent", icon: Plug, onChoose: () => begin("agent") },
      ]}
    >
      New tool
    </Menu>
  </>
);
