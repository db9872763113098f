{{- define "posthorn.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- /* Numeric, because the kubelet cannot see that the image's user "node" is not root. */ -}}
{{- define "posthorn.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "posthorn.podMetadata" -}}
metadata:
  labels:
    {{- include "posthorn.selector" . | nindent 4 }}
    {{- with .root.Values.pod.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .root.Values.pod.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* What the pods of every role have: dict "root" $ "component" "api". No pod speaks to the API of Kubernetes. */ -}}
{{- define "posthorn.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "posthorn.podSecurity" 1000 | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pod }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 64Mi}
  {{- with .root.Values.extraCa.configMap }}
  - name: extra-ca
    configMap: {name: {{ . }}}
  {{- end }}
{{- end -}}

{{- define "posthorn.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.extraCa.configMap }}
- name: extra-ca
  mountPath: /etc/posthorn
  readOnly: true
{{- end }}
{{- end -}}

{{- define "posthorn.spread" -}}
{{- $it := . -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: {{ $it.root.Values.pod.spread }}
  labelSelector:
    matchLabels:
      {{- include "posthorn.selector" $it | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}

{{- /*
The process is asked whether it is alive, and whether it can work. Without Postgres it is alive: a restart would not help.
A first start waits up to 60 s, because the stores may start at the same time.
*/ -}}
{{- define "posthorn.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: {{ . }}}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 30
livenessProbe:
  httpGet: {path: /healthz, port: {{ . }}}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: {{ . }}}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end -}}
