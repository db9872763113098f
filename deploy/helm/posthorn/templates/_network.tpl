{{- /*
What is not the public internet, as packages/egress/src/address-rules.ts has it. A test compares the two.
*/ -}}
{{- define "posthorn.privateIPv4" -}}
[0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 168.63.129.16/32, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.0.2.0/24,
192.31.196.0/24, 192.52.193.0/24, 192.88.99.0/24, 192.168.0.0/16, 192.175.48.0/24, 198.18.0.0/15, 198.51.100.0/24,
203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4]
{{- end -}}

{{- define "posthorn.privateIPv6" -}}
["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]
{{- end -}}

{{- /* Rules of egress to DNS, Postgres and, but for the migration, Redis if it is used. */ -}}
{{- define "posthorn.egressToStores" -}}
{{- $policy := .root.Values.networkPolicy -}}
- to:
    {{- toYaml $policy.dns | nindent 4 }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- $it := . }}
{{- range eq .component "migrate" | ternary (list "postgres") (include "posthorn.stores" .root | fromJsonArray) }}
{{- $isBundled := include "posthorn.bundles" (list $it.root .) }}
- to:
    {{- if $isBundled }}
    - podSelector:
        matchLabels:
          {{- include "posthorn.selector" (dict "root" $it.root "component" .) | nindent 10 }}
    {{- else }}
    {{- toYaml (index $policy . "to") | nindent 4 }}
    {{- end }}
  ports:
    - {protocol: TCP, port: {{ if $isBundled }}{{ eq . "postgres" | ternary 5432 6379 }}{{ else }}{{ include "posthorn.text" (index $policy . "port") }}{{ end }}}
{{- end }}
{{- end -}}

{{- /* Where deliveries may go: public addresses by TCP, and what EGRESS_ALLOW_CIDRS opens. */ -}}
{{- define "posthorn.egressToInternet" -}}
{{- $forbidden := .Values.networkPolicy.alsoForbidden -}}
{{- $also4 := list -}}{{- $also6 := list -}}
{{- range $forbidden -}}
{{- if contains ":" . -}}{{- $also6 = append $also6 . -}}{{- else -}}{{- $also4 = append $also4 . -}}{{- end -}}
{{- end -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- concat (include "posthorn.privateIPv4" . | fromYamlArray) $also4 | toYaml | nindent 10 }}
    - ipBlock:
        cidr: 2000::/3
        except:
          {{- concat (include "posthorn.privateIPv6" . | fromYamlArray) $also6 | toYaml | nindent 10 }}
    {{- range splitList "," (get .Values.config "EGRESS_ALLOW_CIDRS" | default "" | nospace) }}
    {{- if . }}
    - ipBlock: {cidr: {{ contains "/" . | ternary . (printf "%s/%s" . (contains ":" . | ternary "128" "32")) | quote }}}
    {{- end }}
    {{- end }}
  ports:
    - {protocol: TCP, port: 1, endPort: 65535}
{{- end -}}
