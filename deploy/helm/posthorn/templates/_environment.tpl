{{- /* A value of the settings as text. YAML's whole numbers arrive as floats, which Go would print as 1.048576e+06. */ -}}
{{- define "posthorn.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end -}}

{{- /* BASE_URL of every process. */ -}}
{{- define "posthorn.baseUrl" -}}
{{- $given := get .Values.config "BASE_URL" -}}
{{- if $given -}}{{ $given }}{{- else -}}https://{{ .Values.ingress.host }}{{- end -}}
{{- end -}}

{{- /* A setting from a Secret: (list $ NAME optional). */ -}}
{{- define "posthorn.secret" -}}
{{- $root := index . 0 -}}{{- $name := index . 1 -}}
{{- $from := get $root.Values.secrets.from $name | default dict -}}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ default $root.Values.secrets.name $from.name }}
      key: {{ default $name $from.key }}
      {{- if and (index . 2) (not $from.name) }}
      optional: true
      {{- end }}
{{- end -}}

{{- /*
The URLs of Postgres for a role. The image's entrypoint puts the passwords of the bundled one into its URLs. Where Postgres is the
queue, the API listens for messages, which a pooler does not pass on.
*/ -}}
{{- define "posthorn.databaseEnvironment" -}}
{{- $isOwner := ne .role "api" -}}
{{- if .root.Values.bundled.enabled -}}
{{- $address := printf "%s-postgres:5432/posthorn" (include "posthorn.fullname" .root) -}}
- name: DATABASE_URL
  value: postgresql://posthorn_runtime@{{ $address }}
{{ include "posthorn.secret" (list .root "POSTGRES_RUNTIME_PASSWORD" false) }}
{{- if $isOwner }}
- name: DATABASE_OWNER_URL
  value: postgresql://posthorn_owner@{{ $address }}
{{ include "posthorn.secret" (list .root "POSTGRES_OWNER_PASSWORD" false) }}
{{- end }}
{{- else -}}
{{ include "posthorn.secret" (list .root "DATABASE_URL" false) }}
{{- if $isOwner }}
{{ include "posthorn.secret" (list .root "DATABASE_OWNER_URL" true) }}
{{- end }}
{{- if or $isOwner (eq .root.Values.queue "postgres") }}
{{ include "posthorn.secret" (list .root "DATABASE_DIRECT_URL" true) }}
{{- end }}
{{- if has .role (list "api" "all") }}
{{ include "posthorn.secret" (list .root "DATABASE_READ_URL" true) }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The environment of the API, of a dispatcher, or of both in one process: dict "root" $ "role" "api". */ -}}
{{- define "posthorn.environment" -}}
{{- $own := dict -}}
{{- $fixed := dict "BASE_URL" (include "posthorn.baseUrl" .root) "METRICS_PORT" "9464" -}}
{{- $secrets := list "SEALING_KEYS" -}}
{{- $optional := list -}}
{{- $defaults := dict -}}
{{- if ne .role "api" -}}
{{- $own = mergeOverwrite $own (deepCopy .root.Values.dispatcher.config) -}}
{{- $_ := set $fixed "ADMIN_PORT" "9465" -}}
{{- $optional = list "ADMIN_PASSWORD" "EGRESS_PROXY_URL" -}}
{{- end -}}
{{- if ne .role "dispatcher" -}}
{{- $own = mergeOverwrite $own (deepCopy .root.Values.api.config) -}}
{{- $_ := set $fixed "PORT" "3000" -}}
{{- $secrets = append $secrets "CURSOR_KEYS" -}}
{{- $optional = concat $optional (list "BOOTSTRAP_PASSWORD" "BOOTSTRAP_MANAGEMENT_TOKEN" "BOOTSTRAP_API_KEY" "SMTP_URL" "OIDC_CLIENT_SECRET") -}}
{{- if .root.Values.ingress.enabled }}{{- $_ := set $defaults "TRUSTED_PROXIES" "1" -}}{{- end -}}
{{- end -}}
{{- if .root.Values.extraCa.configMap -}}
{{- $_ := set $fixed "NODE_EXTRA_CA_CERTS" (printf "/etc/posthorn/%s" .root.Values.extraCa.key) -}}
{{- end -}}
{{- range $name, $value := mergeOverwrite $defaults (deepCopy .root.Values.config) $own $fixed }}
- name: {{ $name }}
  value: {{ include "posthorn.text" $value | quote }}
{{- end }}
{{ include "posthorn.databaseEnvironment" . }}
{{- if ne .root.Values.queue "redis" }}
{{- else if include "posthorn.bundles" (list .root "redis") }}
- name: REDIS_URL
  value: redis://{{ include "posthorn.fullname" .root }}-redis:6379
{{- else }}
{{ include "posthorn.secret" (list .root "REDIS_URL" false) }}
{{ include "posthorn.secret" (list .root "REDIS_SENTINEL_PASSWORD" true) }}
{{- end }}
{{- $root := .root }}
{{- range $secrets }}
{{ include "posthorn.secret" (list $root . false) }}
{{- end }}
{{- range $optional }}
{{ include "posthorn.secret" (list $root . true) }}
{{- end }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
