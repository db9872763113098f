{{- define "posthorn.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The labels by which a component's pods are found. They never change: a Deployment's selector is immutable. */ -}}
{{- define "posthorn.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "posthorn.labels" -}}
{{ include "posthorn.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* The Deployments. In one process, the pods of the API are dispatchers, too: they keep their name and labels, so that a change of the shape is a rolling update. */ -}}
{{- define "posthorn.services" -}}
{{- eq .Values.shape "one" | ternary (list "api") (list "api" "dispatcher") | toJson -}}
{{- end -}}

{{- /* The stores that the services use. */ -}}
{{- define "posthorn.stores" -}}
{{- eq .Values.queue "redis" | ternary (list "postgres" "redis") (list "postgres") | toJson -}}
{{- end -}}

{{- /* Whether a store is bundled: (list $ "redis"). It is "true", or empty. */ -}}
{{- define "posthorn.bundles" -}}
{{- $bundled := (index . 0).Values.bundled -}}
{{- if and $bundled.enabled (or (eq (index . 1) "postgres") $bundled.redis.enabled) -}}true{{- end -}}
{{- end -}}

{{- define "posthorn.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ default $.Chart.AppVersion .tag }}{{- end -}}
{{- end -}}
{{- end -}}
