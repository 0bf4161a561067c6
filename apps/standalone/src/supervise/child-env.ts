/**
 * A child's needs of the system it runs on: programs, temporary folders, language, time zone, Node's cache of compiled
 * code, proxies.
 */
const OF_THE_SYSTEM =
  "PATH HOME TMPDIR LANG LC_ALL TZ TERM NO_COLOR FORCE_COLOR NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR " +
  "HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy";

/** The settings of the API and the worker that this program has no opinion on. */
const OF_THE_PRODUCT =
  "EGRESS_ALLOW DATABASE_POOL_MAX DISPATCH_SHARDS WORKER_CONCURRENCY SANDBOX_PROCESSES_MAX SANDBOX_REQUIRE METRICS_TENANTS CHROMIUM " +
  "MCP_HOSTS CORS_ORIGINS MODEL_BASE_URL MODEL_NAME SEARCH_PROVIDER SEARCH_BASE_URL SEARCH_ENGINE_ID SEARCH_API_KEY RETENTION_DAYS LOG_RETENTION_DAYS AUDIT_RETENTION_DAYS " +
  "IMAGE_BASE_URL IMAGE_API_KEY IMAGE_MODEL SPEECH_PROVIDER SPEECH_BASE_URL SPEECH_API_KEY SPEECH_MODEL SPEECH_VOICE " +
  "EMBEDDINGS_BASE_URL EMBEDDINGS_MODEL";

/**
 * The environment of a child: the variables of these lists, OpenTelemetry's settings, and `settings` over all. Nothing
 * else: a user's environment is full of other programs' credentials.
 */
export function childEnv(env: NodeJS.ProcessEnv, settings: Record<string, string>): Record<string, string> {
  const ofTelemetry = Object.keys(env).filter((name) => name.startsWith("OTEL_"));
  const names = [...OF_THE_SYSTEM.split(" "), ...OF_THE_PRODUCT.split(" "), ...ofTelemetry];
  const passed = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return { ...Object.fromEntries(passed), ...settings, BULKHEAD_WATCH_PARENT: "1" };
}
