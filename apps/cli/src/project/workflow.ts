import { usageFault } from "../faults/cli-fault.ts";
import { NO_CHANGES } from "../sync/plan-view.ts";

export const WORKFLOW_FILE = ".github/workflows/tools.yml";

/** Of a folder's path in its repository; anything else would mean something in a workflow's patterns. */
const PLAIN_PATH = /^[\w.-]+(?:\/[\w.-]+)*$/;

/** Actions by the commit of a version, since a tag may be moved. */
const CHECKOUT = "actions/checkout@8e8c483db84b4bee98b60c0593521ed34d9990e8 # v6.0.1";
const SETUP_NODE = "actions/setup-node@395ad3262231945c25e8478fd5baf05154b1d79f # v6.1.0";

/**
 * The workflow by which a folder of tools changes through pull requests; `folder` is its path in the repository, and empty where
 * it is the repository itself. A fault where a workflow could not name the path.
 */
export function workflowText(folder: string): string {
  if (folder !== "" && !PLAIN_PATH.test(folder))
    throw usageFault(
      `A workflow can't name the folder ${folder}.`,
      "Use letters, digits, dots, hyphens and underscores in its path, or leave --github out.",
    );
  const inFolder = folder === "" ? "" : `\n\ndefaults:\n  run:\n    working-directory: "${folder}"`;
  return `# Tools change by pull requests: each one is tried out and told what it would change, and what reaches main is pushed.
#
# In the settings of the repository, under "Secrets and variables", "Actions":
#   the variable BULKHEAD_URL  the server
#   the secret BULKHEAD_KEY    a key of it, made by: npx bulkhead keys create github --role developer
# package-lock.json names bulkhead-cli, from a tarball that is kept in the repository.
#
# It runs for every change, since tools may import code from anywhere in the repository.
name: Tools

on:
  pull_request:
  push:
    branches: [main]

permissions: {}${inFolder}

env:
  BULKHEAD_URL: \${{ vars.BULKHEAD_URL }}

jobs:
  try:
    # Pull requests from forks get no key, and so nothing of them runs.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
      pull-requests: write
    concurrency:
      group: tools-\${{ github.event.pull_request.number }}
      cancel-in-progress: true
    steps:
${INSTALL}
      - name: Run the examples
        id: examples
        env:
          BULKHEAD_KEY: \${{ secrets.BULKHEAD_KEY }}
        run: npx --no -- bulkhead test
      - name: Plan the push
        id: plan
        if: \${{ !cancelled() }}
        env:
          BULKHEAD_KEY: \${{ secrets.BULKHEAD_KEY }}
        run: npx --no -- bulkhead push --pr-comment > "$RUNNER_TEMP/plan.md"
      # What failed is a red check, and told all the same.
      - name: Comment the plan, over the one of the last push
        if: \${{ !cancelled() }}
        env:
          GH_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
          OUTCOMES: examples \${{ steps.examples.outcome }}, plan \${{ steps.plan.outcome }}
          LOG: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}
        run: |
          plan=$(cat "$RUNNER_TEMP/plan.md" || true)
          {
            echo '${MARK}'
            printf '%s\\n' "\${plan:-### Tools: no plan could be made}"
            if [ "$OUTCOMES" != '${ALL_WELL}' ]; then
              printf '\\n**Not everything went well: %s.** [The log](%s) says why.\\n' "$OUTCOMES" "$LOG"
            fi
          } > "$RUNNER_TEMP/comment.md"
          comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
          last=$(gh api --paginate "$comments" --jq '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith("${MARK}"))) | .id' | head -n 1)
          if [ -n "$last" ]; then
            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$last" --field body=@"$RUNNER_TEMP/comment.md"
          elif [ "$OUTCOMES" != '${ALL_WELL}' ] || [ "$plan" != '${NO_CHANGES}' ]; then
            gh api --silent --method POST "$comments" --field body=@"$RUNNER_TEMP/comment.md"
          fi

  push:
    if: github.event_name == 'push'
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
    # One after the other: a push that was begun is finished.
    concurrency:
      group: tools-push
    steps:
${INSTALL}
      - name: Run the examples, then push
        env:
          BULKHEAD_KEY: \${{ secrets.BULKHEAD_KEY }}
        run: |
          npx --no -- bulkhead test
          npx --no -- bulkhead push --yes
`;
}

/** By it the comment of an earlier plan is found. */
const MARK = "<!-- bulkhead plan -->";

const ALL_WELL = "examples success, plan success";

/** No script of a package runs, and no credentials stay in the working copy. */
const INSTALL = `      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${SETUP_NODE}
        with:
          node-version: 24
          package-manager-cache: false
      - run: npm ci --ignore-scripts`;
