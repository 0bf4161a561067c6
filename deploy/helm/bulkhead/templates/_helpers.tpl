{{/* Names of Services begin with a letter, have no dot and at most 63 characters: 48 leave room for -worker-metrics. */}}
{{- define "bulkhead.name" -}}
{{- if not (regexMatch "^[a-z]" .Release.Name) -}}
{{- fail "the release's name must begin with a letter: names of Services do" -}}
{{- end -}}
{{- printf "%s-bulkhead" .Release.Name | replace "." "-" | trunc 48 | trimAll "-" -}}
{{- end -}}

{{- define "bulkhead.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* What picks a component's pods; never changes after the first installation. */}}
{{- define "bulkhead.selector" -}}
app.kubernetes.io/name: bulkhead
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "bulkhead.labels" -}}
{{ include "bulkhead.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "bulkhead.secretEnv" -}}
- name: {{ .key }}
  valueFrom:
    secretKeyRef:
      name: {{ required "existingSecret must name the Secret with DATABASE_URL, REDIS_URL, BULKHEAD_MASTER_KEY and BULKHEAD_ADMIN_KEY" .root.Values.existingSecret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* What API and worker have in common. */}}
{{- define "bulkhead.env" -}}
{{ include "bulkhead.secretEnv" (dict "root" .root "key" "DATABASE_URL" "optional" false) }}
{{ include "bulkhead.secretEnv" (dict "root" .root "key" "REDIS_URL" "optional" false) }}
{{ include "bulkhead.secretEnv" (dict "root" .root "key" "BULKHEAD_MASTER_KEY" "optional" false) }}
{{ include "bulkhead.secretEnv" (dict "root" .root "key" "BULKHEAD_MASTER_KEY_OLD" "optional" true) }}
- name: DISPATCH_SHARDS
  value: {{ .root.Values.settings.dispatchShards | quote }}
- name: SEARCH_PROVIDER
  value: {{ .root.Values.settings.searchProvider | quote }}
- name: EGRESS_ALLOW
  value: {{ .root.Values.settings.egressAllow | quote }}
- name: EMBEDDINGS_BASE_URL
  value: {{ .root.Values.settings.embeddingsBaseUrl | quote }}
- name: EMBEDDINGS_MODEL
  value: {{ .root.Values.settings.embeddingsModel | quote }}
- name: DATABASE_POOL_MAX
  value: {{ .root.Values.settings.databasePoolMax | quote }}
- name: LOG_LEVEL
  value: {{ .root.Values.settings.logLevel | quote }}
- name: METRICS_HOST
  value: 0.0.0.0
- name: METRICS_PORT
  value: "9464"
- name: OTEL_SERVICE_NAME
  value: bulkhead-{{ .component }}
{{- if .root.Values.settings.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .root.Values.settings.otlpEndpoint | quote }}
# Spans alone: metrics are scraped.
- name: OTEL_METRICS_EXPORTER
  value: none
{{- end }}
{{- end -}}

{{/* What every container has in common; the worker adds what its sandboxes take. */}}
{{- define "bulkhead.hardened" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
privileged: false
{{- end -}}

{{- define "bulkhead.spread" -}}
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "bulkhead.selector" . | nindent 6 }}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "bulkhead.selector" . | nindent 6 }}
{{- end -}}

{{- define "bulkhead.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Names are resolved, and nothing else is reached that is not listed. */}}
{{- define "bulkhead.dnsEgress" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{- define "bulkhead.peerEgress" -}}
- to:
    {{- toYaml .to | nindent 4 }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}
