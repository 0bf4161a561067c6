import { copyText } from "../design/copy-button.tsx";
import { Copy } from "../design/icons.tsx";
import { Menu } from "../design/menu.tsx";
import { notify } from "../design/notices.tsx";
import { type Call, cliOf, curlOf, sdkOf } from "./copy-call.ts";

const KEY_OF_ENVIRONMENT = "it takes your key from BULKHEAD_KEY.";

/** Copies the call, to be made from elsewhere. A key stands in none of them. */
export function CopyCallMenu({ call }: { call: Call }) {
  const copy = async (name: string, text: string, next: string): Promise<void> => {
    if (await copyText(text)) notify("good", `Copied as ${name}; ${next}`);
  };
  const item = (name: string, text: () => string, next: string) => ({
    name,
    onChoose: () => void copy(name, text(), next),
  });
  return (
    <Menu
      label="Copy as"
      icon={Copy}
      items={[
        item("curl, for bash and zsh", () => curlOf(location.origin, call), KEY_OF_ENVIRONMENT),
        item("JavaScript", () => sdkOf(location.origin, call), "put your key in."),
        item(
          "command line, for bash, zsh and PowerShell",
          () => cliOf(call),
          "it runs as the profile that you use there.",
        ),
      ]}
    >
      Copy as
    </Menu>
  );
}
