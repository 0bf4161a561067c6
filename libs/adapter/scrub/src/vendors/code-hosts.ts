import { ALNUM, HEX, shape, WORD } from "./vendor-shape.ts";

const GITHUB =
  "docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github";
const GITLAB = "docs.gitlab.com/security/tokens/";

/** Code hosts, package registries, builds and deployments. */
export const CODE_HOSTS = [
  shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", `${ALNUM}{36,}`, GITHUB),
  shape("github-fine-grained-token", "github_pat_", "[A-Za-z0-9_]{36,}", GITHUB),
  shape("gitlab-token", "glpat- gldt- glptt- glft- glimt- glffct- gloas- glsoat-", `${WORD}{20,}`, GITLAB),
  shape("gitlab-runner-token", "glrt- glrtr- glcbt- glagent- GR1348941", `${WORD}{20,}`, GITLAB),
  shape(
    "bitbucket-app-password",
    "ATBB",
    `${ALNUM}{28,}`,
    "support.atlassian.com/bitbucket-cloud/docs/app-passwords/",
  ),
  shape(
    "atlassian-api-token",
    "ATATT3 ATCTT3",
    "[A-Za-z0-9_=-]{50,}",
    "id.atlassian.com/manage-profile/security/api-tokens",
  ),
  shape("npm-token", "npm_", `${ALNUM}{36,}`, "docs.npmjs.com/about-access-tokens"),
  shape("pypi-token", "pypi-AgE", `${WORD}{50,}`, "pypi.org/help/#apitoken"),
  shape("rubygems-token", "rubygems_", `${HEX}{48,}`, "guides.rubygems.org/api-key-scopes/"),
  shape("nuget-key", "oy2", "[a-z0-9]{43,}", "learn.microsoft.com/nuget/nuget-org/publish-a-package"),
  shape("crates-io-token", "cio", `${ALNUM}{32,}`, "doc.rust-lang.org/cargo/reference/publishing.html"),
  shape("clojars-token", "CLOJARS_", "[a-z0-9]{60,}", "github.com/clojars/clojars-web/wiki/Deploy-Tokens"),
  shape("docker-token", "dckr_pat_ dckr_oat_", `${WORD}{27,}`, "docs.docker.com/security/access-tokens/"),
  shape(
    "jfrog-key",
    "AKCp",
    `${ALNUM}{69,}`,
    "jfrog.com/help/r/jfrog-platform-administration-documentation/api-key",
  ),
  shape("circleci-token", "CCIPAT_ CCIPRJ_", "[A-Za-z0-9_]{40,}", "circleci.com/docs/managing-api-tokens/"),
  shape("buildkite-token", "bkua_", `${HEX}{40,}`, "buildkite.com/docs/apis/managing-api-tokens"),
  shape(
    "sonarqube-token",
    "squ_ sqp_ sqa_",
    `${HEX}{40,}`,
    "docs.sonarsource.com/sonarqube-server/latest/user-guide/managing-tokens/",
  ),
  shape(
    "sourcegraph-token",
    "sgp_",
    "[A-Za-z0-9_]{40,}",
    "sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
  ),
  shape(
    "vercel-token",
    "vcp_ vci_ vca_ vcr_ vck_",
    `${ALNUM}{24,}`,
    "vercel.com/docs/rest-api#authentication",
  ),
  shape(
    "netlify-token",
    "nfp_ nfc_ nfo_ nfu_ nfb_",
    `${ALNUM}{36,}`,
    "docs.netlify.com/api/get-started/#authentication",
  ),
  shape("heroku-key", "HRKU-", `${WORD}{36,}`, "devcenter.heroku.com/articles/authentication"),
  shape("fly-token", "fm1_ fm2_ fo1_", "[A-Za-z0-9+/=_-]{40,}", "fly.io/docs/security/tokens/"),
  shape(
    "terraform-cloud-token-tail",
    "atlasv1.",
    "[A-Za-z0-9_=-]{60,}",
    "developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
  ),
  shape(
    "vault-token",
    "hvs. hvb. hvr.",
    `${WORD}{24,}`,
    "developer.hashicorp.com/vault/docs/concepts/tokens",
  ),
  shape(
    "doppler-token",
    "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.",
    `${ALNUM}{40,}`,
    "docs.doppler.com/reference/auth-token-formats",
  ),
  shape(
    "doppler-service-token",
    "dp.st.",
    "[A-Za-z0-9_.-]{40,}",
    "docs.doppler.com/reference/auth-token-formats",
  ),
  shape(
    "pulumi-token",
    "pul-",
    `${HEX}{40,}`,
    "www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/",
  ),
  shape("prefect-key", "pnu_ pnb_", `${ALNUM}{36,}`, "docs.prefect.io/v3/manage/cloud/manage-users/api-keys"),
  shape(
    "1password-service-token",
    "ops_eyJ",
    `${WORD}{100,}`,
    "developer.1password.com/docs/service-accounts/",
  ),
  shape("age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58,}", "github.com/FiloSottile/age"),
];
