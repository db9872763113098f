import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../pages/run-page.ts';
import type { KubernetesObject } from './schemas.ts';
import { helm } from './tools.ts';

export type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };

type Container = {
  name: string;
  image: string;
  args: string[];
  env?: Variable[];
  securityContext: object;
  resources: { requests?: object; limits?: { memory?: string } };
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
};

export type PodSpec = {
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number };
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: { topologyKey: string }[];
  containers: Container[];
};

type Peer = { ipBlock?: { cidr: string; except?: string[] }; podSelector?: object; namespaceSelector?: object };
type Port = { protocol: string; port: number; endPort?: number };

export type NetworkPolicy = KubernetesObject & {
  spec: {
    podSelector: { matchLabels: Record<string, string> };
    policyTypes: string[];
    ingress: { from?: Peer[]; ports: Port[] }[];
    egress: { to: Peer[]; ports: Port[] }[];
  };
};

/** The objects of the release `ph` in the namespace `hooks`, with the values of a file of deploy/helm/examples. */
export function render(example: string, ...options: string[]): KubernetesObject[] {
  const values = `examples/${example}.yaml`;
  const { status, stdout, stderr } = helm('template', 'ph', 'posthorn', '-n', 'hooks', '-f', values, ...options);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

/** The objects of a kind, by their names. */
export function ofKind<T extends KubernetesObject>(objects: KubernetesObject[], kind: string): Record<string, T> {
  return Object.fromEntries(objects.filter((one) => one.kind === kind).map((one) => [one.metadata.name, one as T]));
}

/** The specification of each pod that an object makes, by the component: api, dispatcher, migrate, postgres or redis. */
export function podsOf(objects: KubernetesObject[]): Record<string, PodSpec> {
  type Workload = { spec: { template?: { metadata: { labels: Record<string, string> }; spec: PodSpec } } };
  const templates = objects.flatMap((object) => (object as unknown as Workload).spec?.template ?? []);
  const component = 'app.kubernetes.io/component';
  return Object.fromEntries(templates.map(({ metadata, spec }) => [metadata.labels[component], spec]));
}

export type Setting = { name: string; isSecret: boolean };

/** The settings that a section of docs/reference/settings.md lists. */
export function settingsOf(section: 'Both services' | 'API' | 'Dispatcher'): Setting[] {
  const page = readFileSync(join(projectRoot, 'docs/reference/settings.md'), 'utf8');
  const text = page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = text.matchAll(/^\| `([A-Z_]+)` .*\| ([^|]+?) *\|$/gm);
  return [...rows].map(([, name = '', meaning = '']) => ({ name, isSecret: meaning.startsWith('Secret.') }));
}

/** A YAML or JSON file of the project. */
export function readData(path: string): unknown {
  return parse(readFileSync(join(projectRoot, path), 'utf8'));
}
