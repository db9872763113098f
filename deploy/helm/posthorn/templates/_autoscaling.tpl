{{- /* Upwards at once, downwards by one pod a minute after five minutes of less load. */ -}}
{{- define "posthorn.scaleBehavior" -}}
scaleDown:
  stabilizationWindowSeconds: 300
  policies:
    - {type: Pods, value: 1, periodSeconds: 60}
{{- end -}}

{{- define "posthorn.scaleByCpu" -}}
scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .name }}}
minReplicas: {{ .autoscaling.minReplicas }}
maxReplicas: {{ .autoscaling.maxReplicas }}
metrics:
  - type: Resource
    resource:
      name: cpu
      target: {type: Utilization, averageUtilization: {{ .autoscaling.cpuPercent }}}
behavior:
  {{- include "posthorn.scaleBehavior" . | nindent 2 }}
{{- end -}}

{{- define "posthorn.kedaAuthentication" -}}
{{- with .authenticationRef -}}
authenticationRef: {name: {{ . }}}
{{- end -}}
{{- end -}}
