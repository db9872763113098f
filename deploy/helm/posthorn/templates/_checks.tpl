{{- /* Faults that a schema cannot see, or cannot explain. */ -}}
{{- define "posthorn.checks" -}}
{{- $v := .Values -}}
{{- $faults := list -}}
{{- if not $v.image.repository -}}
{{- $faults = append $faults "image.repository is required: build deploy/Dockerfile, push the image to a registry and name it here" -}}
{{- end -}}
{{- if not $v.secrets.name -}}
{{- $faults = append $faults "secrets.name is required: the name of an existing Secret with SEALING_KEYS, CURSOR_KEYS and the credentials of the stores" -}}
{{- end -}}
{{- if not (or (get $v.config "BASE_URL") $v.ingress.enabled) -}}
{{- $faults = append $faults "config.BASE_URL is required without the ingress: the public URL of the API" -}}
{{- end -}}
{{- if $v.ingress.enabled -}}
{{- if not $v.ingress.host -}}{{- $faults = append $faults "ingress.host is required with the ingress" -}}{{- end -}}
{{- if not $v.ingress.tlsSecretName -}}
{{- $faults = append $faults "ingress.tlsSecretName is required with the ingress: credentials and payloads must not travel without TLS" -}}
{{- end -}}
{{- end -}}
{{- if $v.networkPolicy.enabled -}}
{{- $root := . -}}
{{- range include "posthorn.stores" . | fromJsonArray -}}
{{- if not (or (index $v.networkPolicy . "to") (include "posthorn.bundles" (list $root .))) -}}
{{- $faults = append $faults (printf "networkPolicy.%s.to is required: the peers at which the pods may reach %s; or set networkPolicy.enabled to false" . (title .)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq $v.queue "postgres" -}}
{{- if and $v.bundled.enabled $v.bundled.redis.enabled -}}
{{- $faults = append $faults "bundled.redis.enabled must be false with queue: postgres, which needs no Redis" -}}
{{- end -}}
{{- if get $v.secrets.from "REDIS_URL" -}}
{{- $faults = append $faults "secrets.from.REDIS_URL must not be set with queue: postgres, which needs no Redis" -}}
{{- end -}}
{{- end -}}
{{- if $v.bundled.enabled -}}
{{- range list "DATABASE_URL" "DATABASE_OWNER_URL" "DATABASE_DIRECT_URL" "DATABASE_READ_URL" -}}
{{- if get $v.secrets.from . -}}
{{- $faults = append $faults (printf "secrets.from.%s must not be set with bundled.enabled, which brings a Postgres of its own" .) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $v.queue "redis") $v.bundled.redis.enabled (get $v.secrets.from "REDIS_URL") -}}
{{- $faults = append $faults "secrets.from.REDIS_URL must not be set with bundled.enabled and bundled.redis.enabled, which bring a Redis of their own" -}}
{{- end -}}
{{- end -}}
{{- if and (eq $v.shape "one") (ne $v.dispatcher.autoscaling.by "none") -}}
{{- $faults = append $faults "dispatcher.autoscaling must be none with shape: one, where the pods of the API are the dispatchers: scale these by api.autoscaling" -}}
{{- end -}}
{{- with $v.bundled -}}
{{- $limit := get (default dict (default dict .redis.resources).limits) "memory" -}}
{{- if and .enabled .redis.enabled $limit (ge (include "posthorn.bytes" .redis.maxmemory | float64) (include "posthorn.bytes" $limit | float64)) -}}
{{- $faults = append $faults "bundled.redis.resources.limits.memory must be larger than bundled.redis.maxmemory, and should be twice as large: Kubernetes would end Redis before it refuses jobs" -}}
{{- end -}}
{{- end -}}
{{- if and $v.networkPolicy.enabled $v.monitoring.serviceMonitor.enabled (not $v.networkPolicy.metricsFrom) -}}
{{- $faults = append $faults "networkPolicy.metricsFrom is required with the ServiceMonitor: the pods of Prometheus" -}}
{{- end -}}
{{- if and (eq $v.dispatcher.autoscaling.by "keda") (not $v.dispatcher.autoscaling.keda.prometheusUrl) -}}
{{- $faults = append $faults "dispatcher.autoscaling.keda.prometheusUrl is required for keda" -}}
{{- end -}}
{{- range list "api" "dispatcher" -}}
{{- with (index $v .).autoscaling -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- $faults = append $faults "autoscaling: minReplicas is larger than maxReplicas" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $faults -}}
{{- fail (printf "\nThese values cannot be used:\n  %s" (join "\n  " $faults)) -}}
{{- end -}}
{{- end -}}

{{- /* The bytes of a quantity of Kubernetes, or of a size as Redis writes it. */ -}}
{{- define "posthorn.bytes" -}}
{{- $decimal := dict "m" 1e-3 "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 -}}
{{- $binary := dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 -}}
{{- $units := merge $decimal $binary (dict "mb" 1048576 "gb" 1073741824) -}}
{{- $text := kindIs "string" . | ternary . (. | float64 | printf "%.0f") -}}
{{- $number := regexFind "^[0-9.]+([eE][+-]?[0-9]+)?" $text -}}
{{- mulf (float64 $number) (default 0 (get $units (trimPrefix $number $text))) -}}
{{- end -}}
