import { expect, test } from "vitest";
import { read } from "./support/files.ts";

interface Rule {
  names: string[];
  action: string;
  args?: { index: number; value: number; valueTwo?: number; op: string }[];
}
const profile = JSON.parse(read("deploy/seccomp/worker.json")) as {
  defaultAction: string;
  architectures: string[];
  syscalls: Rule[];
};
const refused = new Set(profile.syscalls.filter(({ args }) => !args).flatMap(({ names }) => names));

test("what the sandbox layers are made by is let through", () => {
  expect(profile.defaultAction).toBe("SCMP_ACT_ALLOW");
  const needed = [
    "clone",
    "clone3",
    "unshare",
    "execve",
    "prctl",
    "capset",
    "setresuid",
    "setgroups",
    "prlimit64",
    "kill",
  ];
  const landlock = ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"];
  for (const name of [...needed, ...landlock]) expect(refused).not.toContain(name);
});

test("what a user namespace would open to an attacker is refused", () => {
  const dangerous = [
    "mount",
    "fsopen",
    "move_mount",
    "setns",
    "ptrace",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "keyctl",
  ];
  for (const name of [...dangerous, "io_uring_setup", "kexec_load", "init_module", "open_by_handle_at"])
    expect(refused).toContain(name);
});

test("sockets of netfilter, packets and the kernel's crypto are refused; those of routes are not", () => {
  const sockets = profile.syscalls.filter(({ names }) => names.includes("socket"));
  const families = sockets.filter(({ args }) => args?.length === 1).map(({ args }) => args?.[0]?.valueTwo);
  expect(families).toEqual(expect.arrayContaining([17, 38, 40]));
  const netlink = sockets.find(({ args }) => args?.[0]?.valueTwo === 16);
  expect(netlink?.args?.[1]).toEqual({ index: 2, value: 0, op: "SCMP_CMP_NE" });
  // The filter sees 64 bits of an argument of which the kernel takes 32: a high bit must make no difference.
  for (const { args } of sockets)
    expect(args?.[0]).toMatchObject({ index: 0, value: 0xffff_ffff, op: "SCMP_CMP_MASKED_EQ" });
});

test("no rule lets anything through that another refuses, and 32-bit calls have no way around", () => {
  expect(new Set(profile.syscalls.map(({ action }) => action))).toEqual(new Set(["SCMP_ACT_ERRNO"]));
  expect(profile.architectures).toEqual(["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]);
});
