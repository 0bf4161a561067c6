import type { CommandRule } from "@bulkhead/core";
import { expect, test } from "vitest";
import { judgeCommand } from "./judge-command.ts";

const RULES: CommandRule[] = [
  { pattern: "terraform", approval: "preApproved" },
  { pattern: "terraform destroy", approval: "blocked" },
];

test.each([
  "terraform destroy",
  "ls && terraform destroy -auto-approve",
  "sudo terraform destroy",
  "bash -c 'terraform destroy'",
  "T=destroy; terraform $T",
  "terraform $UNKNOWN",
  "/usr/bin/terraform destroy",
  "command $UNKNOWN destroy",
  "env -S 'terraform destroy'",
  "sudo --user root terraform destroy",
  "nice -n 5 setpriv --nnp terraform destroy",
  "echo destroy | xargs terraform",
  "find . -name destroy -exec terraform {} +",
  "bash -o posix -ec 'terraform destroy'",
  'bash -c "$UNKNOWN"',
  "printf '%s %s' terraform destroy | bash",
  "printf 'terraform %s\n' plan destroy | sh",
  "echo -e '\\x74erraform destroy' | sh",
  "echo yortsed mrofarret | rev | sh",
  "source /dev/stdin <<< 'terraform destroy'",
  "sh <<E\n$UNKNOWN\nE",
  "bash <(echo terraform destroy)",
  "exec 3<<<'terraform destroy'; bash <&3",
  "trap 'terraform destroy' EXIT",
  "eval -- 'terraform destroy'",
  "time -- terraform destroy",
  "flock file -c 'terraform destroy'",
  "! time ! A+=(x) terraform destroy",
  "bash /usr/bin/terraform destroy",
  "alias t='terraform destroy'",
  "mapfile -C 'terraform destroy' -c 1 lines < file",
  "PS4='$(terraform destroy)'; set -x",
  "declare 'x[$(terraform destroy)]=1'",
])("a rule that blocks holds wherever it stands: %s", (command) => {
  const judged = judgeCommand(command, RULES);
  expect(judged).toMatchObject({ verdict: "refuse", because: "blocked" });
});

test.each([
  "terraform plan *.tf",
  "[ -f main.tf ] && test -d x && terraform plan",
  "echo terraform destroy; git commit -m 'terraform destroy'",
  "for i in 1 2; do echo $((i + 1)) ${HOME} $PATH; done",
  "bash build.sh destroy; sh -c 'terraform plan'; sudo terraform plan",
  "find . -name '*.tf' -exec wc -l {} + | sort | xargs ls",
  "export A=1 B=$HOME; read -r line; printf '%s' \"$A\"",
  "cat file | bash; echo 'terraform plan' | sh",
  "echo '${a{b}' 'c)#d' \\${a{ ${a:-x}{b}; (ls) # e",
  "a=(x y); a+=(z); echo ${a[@]} > file",
  "x=$(date); case $x in Mon*) echo [a-z]*;; esac",
])("and for nothing else: %s", (command) => {
  expect(judgeCommand(command, RULES)).toMatchObject({ verdict: "run" });
});

test.each([
  ["sh -c 'ls; )'", "can't be read"],
  ["eval 'rm -rf x\nfi'", "can't be read"],
  ["echo $(( $((id) ) ))", "arithmetic"],
  ["(( $((id) ) ))", "arithmetic"],
  ["echo $(( 1 + ))", "arithmetic"],
  ["echo ${z/{x/y}; id #}", "read otherwise"],
  ["a=(x)# id", "read otherwise"],
  ["a=(x)\\ y id", "a list of values before it"],
  ["!# time $(id)", "no name where other shells"],
  ["a+=(x)} bash -c 'id'", "no name where other shells"],
  [`${"nice ".repeat(50)}ls`, "stand in the words of one"],
  [`find . ${"-exec ls ; ".repeat(50)}`.replaceAll(";", "\\;"), "stand in the words of one"],
  [Array.from({ length: 30 }, (_, n) => `sh -c 'ls ${n}'`).join("; "), "command lines stand within it"],
])("what hides commands from who reads it is refused: %s", (command, why) => {
  expect(judgeCommand(command)).toMatchObject({
    because: "unreadable",
    message: expect.stringContaining(why),
  });
});
