import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { parse } from 'yaml';
import { startServices } from './services-in-process.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

type Rule = { alert: string; expr: string; annotations: { runbook: string } };
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const board = JSON.parse(read('deploy/grafana/posthorn.json')) as {
  schemaVersion: number;
  panels: { id: number; targets?: { expr: string; datasource: { uid: string } }[] }[];
};

let stack: Stack;
let pages: string[];
let metrics: Set<string>;
beforeAll(async () => {
  stack = await startStack();
  const port = await waitFor(() => /"part":"metrics","port":(\d+)/.exec(stack.api.output())?.[1], { what: 'the port' });
  const withoutRedis = await startServices({ dispatchers: 1, settings: { REDIS_URL: '' } });
  const urls = [`http://127.0.0.1:${port}`, stack.dispatchers[0]?.url, withoutRedis.dispatchers[0]?.url];
  pages = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  await withoutRedis.stop();
  metrics = new Set(pages.flatMap((page) => [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(seriesOf)));
}, 60_000);
afterAll(() => stack.stop());

/** The names of a metric's series. A histogram has none under its own name. */
function seriesOf([, name = '', type]: RegExpMatchArray): string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name];
}

const metricsIn = (text: string) => text.match(/\b(posthorn|process|nodejs)_[a-z0-9_]+/g) ?? [];
const unknownIn = (text: string) => metricsIn(text).filter((name) => !metrics.has(name));

test('every metric in an alert or on the dashboard is exported by a process', () => {
  const asked = [...rules, ...board.panels.flatMap((panel) => panel.targets ?? [])].map(({ expr }) => expr).join('\n');
  expect(metricsIn(asked).length).toBeGreaterThan(30);
  expect(unknownIn(asked)).toEqual([]);
});

test('every metric in the documents is exported by a process', () => {
  const whole = new Set([...metrics].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const named = [...metricsIn(read('docs/runbook.md')), ...metricsIn(read('docs/operating/watch.md'))];
  // The Postgres roles have similar names.
  const roles = ['posthorn_owner', 'posthorn_runtime'];
  expect(named.filter((name) => !metrics.has(name) && !whole.has(name) && !roles.includes(name))).toEqual([]);
});

test('the reference has every metric of Posthorn that a process exports, and no other', () => {
  const exported = [
    ...new Set(pages.flatMap((page) => [...page.matchAll(/^# TYPE (posthorn_\S+)/gm)].map(([, name]) => name))),
  ];
  const listed = [...read('docs/reference/metrics.md').matchAll(/^\| `(posthorn_[a-z0-9_]+)/gm)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual(exported.sort());
});

test('every alert has a heading in the runbook, and every heading an alert', () => {
  const headings = [...read('docs/runbook.md').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

test('each series whose increase raises an alert is exported with 0 from the start', () => {
  const lines = pages.flatMap((page) => page.split('\n'));
  const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)(?:\{(\w+)=~?"([^"]+)"\})?\[/g)]);
  const series = asked.flatMap(([, name, label, values]) =>
    values === undefined ? [`${name} 0`] : values.split('|').map((value) => `${name}{ ${label}="${value}" 0`),
  );
  expect(series).toEqual(expect.arrayContaining(['posthorn_mails_total{ result="expired" 0']));
  const isExported = (wanted: string) => {
    const parts = wanted.split(' ');
    return lines.some((line) => line.endsWith(' 0') && parts.every((part) => line.includes(part)));
  };
  expect(series.filter((wanted) => !isExported(wanted))).toEqual([]);
});

test('every query of the runbook runs, and changes nothing', async () => {
  const blocks = [...read('docs/runbook.md').matchAll(/^```sql\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const queries = blocks.flatMap((block) => block.split(/;\n/)).filter((query) => query.trim() !== '');
  expect(queries.length).toBeGreaterThan(10);
  await withConnection(stack.databaseUrl, async (connection) => {
    await connection.query('begin read only');
    for (const query of queries) await connection.query(query);
    await connection.query('rollback');
  });
});

test('an alert fires when a job that Prometheus scrapes has no process left, unless one process does the work of both', () => {
  const { scrape_configs: jobs } = parse(read('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string }[];
  };
  const expr = rules.find(({ alert }) => alert === 'PosthornServiceAbsent')?.expr;
  const names = jobs.map((job) => job.job_name);
  const absent = names.filter((name) => name !== 'posthorn-all').map((name) => `absent(up{job="${name}"})`);
  expect(names).toContain('posthorn-all');
  expect(expr).toBe(`(${absent.join(' or ')}) unless on() up{job="posthorn-all"}`);
});

test('the dashboard can be imported: each panel has a unique id and uses the selected data source', () => {
  const ids = board.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const sources = board.panels.flatMap(({ targets = [] }) => targets.map(({ datasource }) => datasource.uid));
  expect(new Set(sources)).toEqual(new Set(['$' + '{datasource}']));
});

test('the monitoring files that Docker Compose mounts exist and are YAML', () => {
  const { services } = parse(read('docker-compose.yml')) as { services: Record<string, { volumes?: string[] }> };
  const mounted = [services.prometheus, services.grafana].flatMap((service) => service?.volumes ?? []);
  const files = ['prometheus/prometheus.yml', 'grafana/provisioning/datasources/prometheus.yml'];
  for (const file of [...files, 'grafana/provisioning/dashboards/posthorn.yml']) {
    expect(mounted.some((mount) => `./deploy/${file}`.startsWith(mount.split(':')[0] ?? 'none'))).toBe(true);
    expect(parse(read(`deploy/${file}`))).toBeTruthy();
  }
});
