/** What to do about an error of a run, by its code. */
const NEXT: Readonly<Record<string, string>> = {
  "tool.threw": "The tool's code threw it. Mend the code, or call it with other arguments.",
  "tool.cpu_limit": "It computed for too long. Give it less to do, or raise its limit of processor time.",
  "tool.wall_limit": "It took too long. See what it waits for, or raise its limit of time.",
  "tool.memory_limit": "It held too much at once. Work in smaller parts, or raise its limit of memory.",
  "tool.network_limit":
    "It asked the network for too much. Ask for less, or raise its limits of requests and bytes.",
  "tool.output_invalid": "Its result is not what its output schema says. Mend one of the two.",
  "tool.result_too_large": "Return less, or raise its limit of the result.",
  "tool.egress_denied": "It asked for a host that it may not reach. Add the host to those it is allowed.",
  "tool.not_active": "It was switched off before the run began. Enable the tool and run it again.",
  "tool.code_invalid": "Its code can't be read as a program. Mend it in the tool's code.",
  "sandbox.crashed": "Its process ended. Run it again; if it happens again, it may use too much memory.",
  "mcp.unreachable": "Its MCP server can't be reached. Test the server, then run it again.",
  "mcp.connection_lost":
    "Its MCP server went away while it ran. See whether it was done before you run it again.",
  "mcp.tool_changed": "Its server changed the tool. Look at the change, and approve it.",
  "mcp.protocol_error": "Its MCP server answered what is not the protocol. Ask whoever runs the server.",
  "execution.cancelled": "Somebody cancelled it. Run it again if it is still wanted.",
  "execution.lost": "Its worker went away. See whether it was done before you run it again.",
  "execution.deadline": "Its time passed while it waited or ran. Give the call more time.",
  "approval.denied": "A person denied the call. Their reason, if they gave one, is in the message.",
  "approval.expired": "Nobody answered in time. Call it again, and answer under Approvals.",
  "approval.too_many": "Too many calls wait for a person. Answer some under Approvals first.",
  "vault.unreadable": "Its data can't be read with the keys that this server has. Ask the operator.",
  "vault.too_large": "Its data are too large to be kept.",
};

export const nextStep = (code: string): string | undefined => NEXT[code];

/** Where in the tool's code an error was thrown, if its message tells. */
export function placeIn(message: string): { line: number; column: number } | null {
  const [, line, column] = /tool\.js:(\d{1,7}):(\d{1,7})/.exec(message) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
}
