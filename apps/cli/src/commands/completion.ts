import { Argument } from "commander";
import type { Define } from "../cli.ts";
import { COMPLETE } from "../completion/complete.ts";

/** Each asks the program itself on Tab, so that names of tools and profiles are completed, too. */
const SCRIPTS = {
  bash: `_bulkhead() {
  local IFS=$'\\n'
  COMPREPLY=($(bulkhead ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _bulkhead bulkhead
`,
  zsh: `#compdef bulkhead
_bulkhead() {
  local -a candidates
  candidates=(\${(f)"$(bulkhead ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#candidates} )); then compadd -- $candidates; else _files; fi
}
compdef _bulkhead bulkhead
`,
  fish: `function __bulkhead_complete
  set -l typed (commandline -opc) (commandline -ct)
  bulkhead ${COMPLETE} -- $typed[2..-1] 2>/dev/null
end
complete -c bulkhead -a '(__bulkhead_complete)'
`,
} as const;

export const defineCompletion: Define = (command, act) => {
  command
    .addArgument(new Argument("<shell>", "whose script is told").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      `
bash:  bulkhead completion bash > ~/.local/share/bash-completion/completions/bulkhead
zsh:   bulkhead completion zsh > ~/.zfunc/_bulkhead   (with fpath+=~/.zfunc before compinit)
fish:  bulkhead completion fish > ~/.config/fish/completions/bulkhead.fish`,
    )
    .action(
      act(async ({ terminal }, shell: keyof typeof SCRIPTS) => {
        if (terminal.json) terminal.value({ script: SCRIPTS[shell] });
        else terminal.text(SCRIPTS[shell].trimEnd());
      }),
    );
};
