import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { projectRoot } from '../pages/run-page.ts';
import { type NetworkPolicy, ofKind, type PodSpec, podsOf, readData, render, settingsOf } from './rendered.ts';
import { type KubernetesObject, schemaFaults, unknownFields } from './schemas.ts';
import { hasTools, helm } from './tools.ts';

// Renders the chart of deploy/helm/posthorn with each file of deploy/helm/examples. Tests that need Helm are skipped
// where install-tools.sh has not installed it.

const examples = readdirSync(join(projectRoot, 'deploy/helm/examples')).map((file) => file.replace('.yaml', ''));
const both = settingsOf('Both services');
const ofApi = settingsOf('API');
const ofDispatcher = settingsOf('Dispatcher');
/** Settings that deploy/entrypoint.sh or Node itself reads. */
const OUTSIDE = ['POSTGRES_RUNTIME_PASSWORD', 'POSTGRES_OWNER_PASSWORD', 'NODE_EXTRA_CA_CERTS'];
const names = (settings: { name: string }[]) => settings.map(({ name }) => name);

/** The addresses of each example's network policy: DNS, the stores and what EGRESS_ALLOW_CIDRS opens. */
const NARROW: Record<string, string[]> = {
  trial: ['169.254.20.10/32'],
  production: ['169.254.20.10/32', '10.20.0.5/32', '10.20.0.6/32'],
  everything: ['169.254.20.10/32', '10.20.0.6/32', '10.8.0.0/16', '10.9.0.7/32', 'fd00:8::/32'],
  postgres: ['169.254.20.10/32', '10.20.0.5/32'],
  one: ['169.254.20.10/32'],
  'one-with-redis': ['169.254.20.10/32', '10.20.0.5/32', '10.20.0.6/32'],
};

/** The examples with API and dispatcher in one process. */
const isOne = (example: string) => example.startsWith('one');

type Further = { extraEgress?: object[] };

const SKIPPED = 'skipped: sh e2e/chart/install-tools.sh installs Helm and the schemas';
describe(hasTools ? 'the rendered chart' : `the rendered chart, ${SKIPPED}`, () => {
  const testWithHelm = hasTools ? test : test.skip;
  const rendered = Object.fromEntries(hasTools ? examples.map((name) => [name, render(name)]) : []);
  const all = Object.entries(rendered);
  const pods = all.flatMap(([example, objects]) =>
    Object.entries(podsOf(objects)).map(([component, spec]) => {
      const [role = ''] = spec.containers[0]?.args ?? [];
      return { example, component, role, spec };
    }),
  );
  const ours = pods.filter(({ component }) => ['api', 'dispatcher', 'migrate'].includes(component));

  testWithHelm('passes helm lint with each example', () => {
    for (const name of examples) {
      const { status, stdout } = helm('lint', '--strict', 'posthorn', '-f', `examples/${name}.yaml`);
      expect({ name, status, stdout }).toMatchObject({ name, status: 0 });
    }
  });

  testWithHelm(
    'is as the schemas of Kubernetes, KEDA and the Prometheus operator have it, without an unknown field',
    () => {
      const upgrade = render('trial', '--is-upgrade');
      const objects = [...all.flatMap(([, list]) => list), ...upgrade];
      expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThan(10);
      expect(schemaFaults(objects)).toEqual([]);
      expect(unknownFields(objects)).toEqual([]);
      const wrong = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'wrong' }, spec: { port: [] } };
      expect(unknownFields([wrong])).toEqual([
        expect.stringContaining('Service wrong: Object literal may only specify known properties, and \'"port"\''),
      ]);
      expect(schemaFaults([{ ...wrong, spec: { ports: [{ port: 'x' }] } } as KubernetesObject])).toHaveLength(1);
    },
    60_000,
  );

  testWithHelm('gives each role its own settings by their names, and secrets only by a reference', () => {
    const known: Record<string, string[]> = {
      api: names([...both, ...ofApi]),
      dispatcher: names([...both, ...ofDispatcher]),
      all: names([...both, ...ofApi, ...ofDispatcher]),
      migrate: names(both),
    };
    for (const { example, component, role, spec } of ours) {
      const env = spec.containers[0]?.env?.filter(({ name }) => !name.endsWith('OTLP_HEADERS')) ?? [];
      const unknown = names(env).filter((name) => !OUTSIDE.includes(name) && !known[role]?.includes(name));
      expect([example, role, unknown]).toEqual([example, role, []]);
      const open = env.filter(({ name, value = '' }) => /PASSWORD|KEY|TOKEN/.test(name) && value !== '');
      expect([example, component, open]).toEqual([example, component, []]);
      const urls = env.filter(({ name }) => /^(DATABASE|REDIS)\w*_URL$/.test(name)).flatMap(({ value }) => value ?? []);
      expect(urls.filter((url) => new URL(url).password !== '')).toEqual([]);
      expect(new Set(names(env)).size).toBe(env.length);
    }
    const secrets = (example: string) =>
      names(ours.find((pod) => pod.example === example && pod.role === 'api')?.spec.containers[0]?.env ?? []);
    const ofOwner = (example: string) => secrets(example).filter((name) => /OWNER|DIRECT/.test(name));
    expect(ofOwner('production')).toEqual([]);
    // If Postgres is the queue, the API listens there for messages, with its own role.
    expect(ofOwner('postgres')).toEqual(['DATABASE_DIRECT_URL']);
  });

  testWithHelm('gives the services values that they accept', () => {
    const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const given: Record<string, string> = {
      SEALING_KEYS: key,
      CURSOR_KEYS: key,
      REDIS_URL: 'redis://redis',
      DATABASE_URL: 'postgresql://db/posthorn',
    };
    for (const { example, role, spec } of ours.filter(({ role }) => role !== 'migrate')) {
      const env = spec.containers[0]?.env ?? [];
      const values = env.flatMap(({ name, value = given[name] }) => (value === undefined ? [] : [[name, value]]));
      for (const service of role === 'all' ? ['api', 'dispatcher'] : [role]) {
        const program = join(projectRoot, `services/${service}/dist/check-settings.js`);
        const { status, stderr } = spawnSync(process.execPath, [program], {
          env: { ...Object.fromEntries(values), NODE_EXTRA_CA_CERTS: '' },
          encoding: 'utf8',
        });
        expect({ example, role, status, stderr }).toEqual({ example, role, status: 0, stderr: '' });
      }
    }
  });

  testWithHelm('runs no container as root, with a writable root, with a capability or with a token', () => {
    expect(pods.length).toBeGreaterThan(10);
    for (const { example, component, spec } of pods) {
      const of = { example, component };
      expect({ ...of, ...spec }).toMatchObject({
        ...of,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: expect.any(Number),
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const container of spec.containers) {
        expect({ ...of, ...container }).toMatchObject({
          ...of,
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: {
            requests: { cpu: expect.anything(), memory: expect.anything() },
            limits: { memory: expect.anything() },
          },
        });
      }
    }
  });

  testWithHelm('probes the services, spreads them, and gives them 30 s to stop after the preStop', () => {
    for (const { component, role, spec } of ours.filter(({ component }) => component !== 'migrate')) {
      const port = component === 'api' ? 'http' : 'metrics';
      const probe = (path: string) => expect.objectContaining({ httpGet: { path, port } });
      const [container] = spec.containers;
      expect(container).toMatchObject({
        args: [role],
        startupProbe: probe('/healthz'),
        livenessProbe: probe('/healthz'),
        readinessProbe: probe('/readyz'),
      });
      const waits = container?.lifecycle?.preStop.sleep.seconds ?? 0;
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30 + waits);
      expect(waits > 0).toBe(component === 'api');
      expect(spec.topologySpreadConstraints).toHaveLength(2);
    }
    for (const [example, objects] of all)
      expect(Object.keys(ofKind(objects, 'PodDisruptionBudget'))).toHaveLength(isOne(example) ? 1 : 2);
  });

  testWithHelm(
    'lets only the API be reached, and dispatchers reach no private range besides the stores, DNS and opened ones',
    () => {
      for (const [example, objects] of all) {
        const policies = ofKind<NetworkPolicy>(objects, 'NetworkPolicy');
        const of = (role: string) => Object.entries(policies).find(([name]) => name.endsWith(`-${role}`))?.[1].spec;
        for (const { spec } of Object.values(policies)) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
        expect(of('migrate')?.ingress).toEqual([]);
        const openTo = (role: string) => of(role)?.ingress.filter(({ from }) => from === undefined) ?? [];
        expect(openTo('dispatcher')).toEqual([]);
        expect(
          [...(of('api')?.ingress ?? [])].map(({ ports }) => ports[0]?.port).filter((port) => port !== 9464),
        ).toEqual([3000]);
        const sender = of(isOne(example) ? 'api' : 'dispatcher');
        const ranges = sender?.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? [];
        const wide = ranges.filter(({ cidr }) => Number(cidr.split('/')[1]) < 8);
        expect(wide.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3']);
        const others = ranges.filter((range) => !wide.includes(range)).map(({ cidr }) => cidr);
        expect([example, others]).toEqual([example, NARROW[example]]);
        if (isOne(example)) continue;
        const fromApi = of('api')?.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock?.cidr ?? [])) ?? [];
        expect(fromApi.filter((cidr) => Number(cidr.split('/')[1]) < 32)).toEqual([]);
      }
    },
  );

  testWithHelm('has a network policy for each pod, and opens the further rules to each pod of Posthorn itself', () => {
    for (const [example, objects] of all) {
      const policies = Object.values(ofKind<NetworkPolicy>(objects, 'NetworkPolicy')).map(({ spec }) => spec);
      const of = (role: string) =>
        policies.find(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component'] === role);
      const components = Object.keys(podsOf(objects));
      expect([example, components.filter((role) => of(role) === undefined)]).toEqual([example, []]);
      const { networkPolicy } = readData(`deploy/helm/examples/${example}.yaml`) as { networkPolicy?: Further };
      for (const role of ['api', ...(isOne(example) ? [] : ['dispatcher']), 'migrate'])
        expect(of(role)?.egress).toEqual(expect.arrayContaining(networkPolicy?.extraEgress ?? []));
    }
  });

  testWithHelm('migrates before the pods of an upgrade, and on a first start with bundled stores beside them', () => {
    const hooksOf = (objects: KubernetesObject[]) =>
      Object.values(
        ofKind<KubernetesObject & { metadata: { annotations?: Record<string, string> } }>(objects, 'Job'),
      ).map(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    expect(hooksOf(rendered.production ?? [])).toEqual(['pre-install,pre-upgrade']);
    expect(hooksOf(rendered.trial ?? [])).toEqual([undefined]);
    expect(hooksOf(render('trial', '--is-upgrade'))).toEqual(['pre-install,pre-upgrade']);
  });

  testWithHelm(
    'gives the bundled Redis the maxmemory of the values, below any limit of its container that is larger',
    () => {
      for (const limit of ['1025Mi', '1.5Gi', '2G', '2147483648', '2e9', '2E+9', '1P', '1Ei', '2147483648000m']) {
        const memory = `bundled.redis.resources.limits.memory=${limit}`;
        const pod = podsOf(render('trial', '--set', `bundled.redis.maxmemory=1gb,${memory}`)).redis;
        expect(pod?.containers[0]?.args.join(' ')).toContain('--maxmemory 1gb --maxmemory-policy noeviction');
      }
    },
  );

  testWithHelm('has the alerts and the names of the jobs that Docker Compose has', () => {
    const objects = rendered.production ?? [];
    const rules = Object.values(ofKind<KubernetesObject & { spec: unknown }>(objects, 'PrometheusRule'));
    expect(rules.map(({ spec }) => spec)).toEqual([readData('deploy/prometheus/alerts.yml')]);
    type Monitor = KubernetesObject & { spec: { endpoints: { relabelings: object[] }[] } };
    const jobs = [...objects, ...(rendered['one-with-redis'] ?? [])]
      .filter((object): object is Monitor => object.kind === 'ServiceMonitor')
      .map(({ spec }) => spec.endpoints[0]?.relabelings[0]);
    const { scrape_configs } = readData('deploy/prometheus/prometheus.yml') as {
      scrape_configs: { job_name: string }[];
    };
    expect(jobs).toEqual(scrape_configs.map(({ job_name }) => ({ targetLabel: 'job', replacement: job_name })));
  });

  testWithHelm(
    'scales dispatchers either by CPU or by KEDA, with metrics of the services, and fixes no number of pods then',
    () => {
      const kinds = (example: string) =>
        Object.keys({
          ...ofKind(rendered[example] ?? [], 'HorizontalPodAutoscaler'),
          ...ofKind(rendered[example] ?? [], 'ScaledObject'),
        });
      expect(kinds('production')).toEqual(['ph-posthorn-api', 'ph-posthorn-dispatcher']);
      expect(kinds('everything')).toEqual(['webhooks-api', 'webhooks-dispatcher']);
      type Scaled = KubernetesObject & { spec: { triggers: { type: string; metadata: { query?: string } }[] } };
      const [scaled] = Object.values(ofKind<Scaled>(rendered.everything ?? [], 'ScaledObject'));
      const matchers = 'job="posthorn-dispatcher",namespace="hooks"';
      expect(scaled?.spec.triggers.map(({ type, metadata }) => metadata.query ?? type)).toEqual([
        `max(posthorn_oldest_due_age_seconds{${matchers}})`,
        `sum(max by (queue) (posthorn_queue_depth{state="waiting",${matchers}}))`,
        'cpu',
      ]);
      const metrics = readFileSync(join(projectRoot, 'docs/reference/metrics.md'), 'utf8');
      for (const name of ['posthorn_oldest_due_age_seconds', 'posthorn_queue_depth{queue,state}'])
        expect(metrics).toContain(name);
      type Deployment = KubernetesObject & { spec: { replicas?: number; template: { spec: PodSpec } } };
      for (const example of ['production', 'everything']) {
        const deployments = Object.values(ofKind<Deployment>(rendered[example] ?? [], 'Deployment'));
        expect(deployments.map(({ spec }) => spec.replicas)).toEqual([undefined, undefined]);
      }
    },
  );

  testWithHelm.each([
    ['production', 'redis', ['api', 'dispatcher']],
    ['postgres', 'postgres', ['api', 'dispatcher']],
    ['one-with-redis', 'redis', ['all']],
    ['one', 'postgres', ['all']],
  ])('the example %s has its queues in %s, and pods of %j', (example, queue, roles) => {
    const objects = rendered[example] ?? [];
    const of = ours.filter((pod) => pod.example === example && pod.role !== 'migrate');
    expect(of.map(({ role }) => role)).toEqual(roles);
    for (const { spec } of of)
      expect([names(spec.containers[0]?.env ?? []).includes('REDIS_URL'), example]).toEqual([
        queue === 'redis',
        example,
      ]);
    // No port is opened to a Redis that nobody uses, and no Redis is installed.
    const ports = Object.values(ofKind<NetworkPolicy>(objects, 'NetworkPolicy')).flatMap(({ spec }) =>
      [...spec.egress, ...spec.ingress].flatMap(({ ports }) => ports.map(({ port }) => port)),
    );
    expect(ports.includes(6379)).toBe(queue === 'redis');
    expect(Object.keys(podsOf(objects)).includes('redis')).toBe(false);
    // A change to this shape must be a rolling update of the API's pods.
    type Deployment = KubernetesObject & { spec: { selector: object; template: { spec: PodSpec } } };
    const { 'ph-posthorn-api': api } = ofKind<Deployment>(objects, 'Deployment');
    const { 'ph-posthorn-api': other } = ofKind<Deployment>(rendered.production ?? [], 'Deployment');
    expect(api?.spec.selector).toEqual(other?.spec.selector);
  });

  testWithHelm(
    'starts the bundled Postgres as Docker Compose starts its own, so that values of rows stay out of its log',
    () => {
      const { services } = readData('docker-compose.yml') as { services: { postgres: { command: string[] } } };
      expect(podsOf(rendered.trial ?? []).postgres?.containers[0]?.args).toEqual(services.postgres.command);
    },
  );

  testWithHelm('a bundled Postgres can stand beside a Redis of your own', () => {
    const own = ['networkPolicy.redis.to[0].ipBlock.cidr=10.20.0.6/32', 'bundled.redis.enabled=false'].join(',');
    const pods = podsOf(render('trial', '--set', own));
    expect(Object.keys(pods).sort()).toEqual(['api', 'dispatcher', 'migrate', 'postgres']);
    const redisUrl = pods.api?.containers[0]?.env?.find(({ name }) => name === 'REDIS_URL');
    expect(redisUrl?.valueFrom?.secretKeyRef).toEqual({ name: 'posthorn', key: 'REDIS_URL' });
  });

  testWithHelm.each([
    ['a setting that is none', 'config.RETENTION=3', "'RETENTION' not allowed"],
    ['a setting of the other service', 'api.config.DELIVERY_CONCURRENCY=5', "'DELIVERY_CONCURRENCY' not allowed"],
    ['a secret as a value', 'config.REDIS_URL=redis://redis', "'REDIS_URL' not allowed"],
    ['an ingress without TLS', 'ingress.tlsSecretName=', 'ingress.tlsSecretName is required'],
    ['an image without a name', 'image.repository=', 'image.repository is required'],
    ['no Secret', 'secrets.name=', 'secrets.name is required'],
    [
      'stores that the network policy does not open',
      'networkPolicy.redis.to=null',
      'networkPolicy.redis.to is required',
    ],
    [
      'a Prometheus that the network policy does not open',
      'networkPolicy.metricsFrom=null',
      'networkPolicy.metricsFrom is required',
    ],
    ['another way to scale', 'dispatcher.autoscaling.by=memory', "must be one of 'none', 'cpu', 'keda'"],
    ['keda without a Prometheus', 'dispatcher.autoscaling.by=keda', 'keda.prometheusUrl is required'],
    [
      'a bundled Redis whose container has no more memory than its data may take',
      'bundled.enabled=true,bundled.redis.maxmemory=512mb',
      'bundled.redis.resources.limits.memory must be larger than bundled.redis.maxmemory',
    ],
    [
      'a bundled Redis where Postgres is the queue',
      'queue=postgres,bundled.enabled=true',
      'bundled.redis.enabled must be false with queue: postgres',
    ],
    [
      'a Redis where Postgres is the queue',
      'queue=postgres,secrets.from.REDIS_URL.name=redis,secrets.from.REDIS_URL.key=url',
      'secrets.from.REDIS_URL must not be set',
    ],
    [
      'a Postgres of your own beside the bundled one',
      'bundled.enabled=true,secrets.from.DATABASE_URL.name=db,secrets.from.DATABASE_URL.key=uri',
      'secrets.from.DATABASE_URL must not be set with bundled.enabled',
    ],
    [
      'a Redis of your own beside the bundled one',
      'bundled.enabled=true,secrets.from.REDIS_URL.name=redis,secrets.from.REDIS_URL.key=url',
      'secrets.from.REDIS_URL must not be set with bundled.enabled and bundled.redis.enabled',
    ],
    ['another queue', 'queue=sqlite', "must be one of 'redis', 'postgres'"],
    ['dispatchers that scale where there are none', 'shape=one', 'dispatcher.autoscaling must be none with shape: one'],
    ['a maxmemory without a unit', 'bundled.redis.maxmemory=256', "at '/bundled/redis/maxmemory'"],
    ['fewer pods at most than at least', 'api.autoscaling.maxReplicas=2', 'minReplicas is larger'],
  ])('refuses %s', (_what, value, message) => {
    const { status, stderr } = helm('template', 'ph', 'posthorn', '-f', 'examples/production.yaml', '--set', value);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
