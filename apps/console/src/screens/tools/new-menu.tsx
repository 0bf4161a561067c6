import { FileCode, Plug, Plus, Sparkles, Upload } from "../../design/icons.tsx";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../design/button.tsx";
import { Menu } from "../../design/menu.tsx";

/** What is begun on the page of tools itself. */
export type Begin = "agent" | "import";

/** Every way to get a tool, at the head of their page. */
export function NewMenu({ begin }: { begin: (how: Begin) => void }) {
  const navigate = useNavigate();
  return (
    <>
      <Button icon={Upload} onClick={() => begin("import")}>
        Import
      </Button>
      <Menu
        label="New tool"
        icon={Plus}
        look="primary"
        items={[
          { name: "From a template", icon: Sparkles, onChoose: () => void navigate({ to: "/tools/new" }) },
          {
            name: "Write or paste code",
            icon: FileCode,
            onChoose: () => void navigate({ to: "/tools/new", search: { from: "blank" } }),
          },
          { name: "Connect an agent", icon: Plug, onChoose: () => begin("agent") },
        ]}
      >
        New tool
      </Menu>
    </>
  );
}
