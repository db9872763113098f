import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot } from '../pages/run-page.ts';
import { readData, settingsOf } from './rendered.ts';
import { chartFolder } from './tools.ts';

// Tests the files of the chart themselves, without Helm.

const schema = readData('deploy/helm/posthorn/values.schema.json') as Schema;
type Schema = { properties?: Record<string, Schema> };

const both = settingsOf('Both services');
const ofApi = settingsOf('API');
const ofDispatcher = settingsOf('Dispatcher');
const secrets = new Set([...both, ...ofApi, ...ofDispatcher].filter((one) => one.isSecret).map(({ name }) => name));
/** Settings that the chart sets, because its ports and its listening addresses are fixed. */
const FIXED = ['PORT', 'METRICS_PORT', 'ADMIN_PORT', 'LISTEN_ADDRESS'];
const names = (settings: { name: string }[]) => settings.map(({ name }) => name);

test('the values are those of the schema, and each has a comment or stands below one', () => {
  const fields = (value: Schema, path: string): string[] =>
    Object.entries(value.properties ?? {}).flatMap(([key, one]) =>
      one.properties && !/^(config|from)$/.test(key) ? fields(one, `${path}${key}.`) : [`${path}${key}`],
    );
  const values = readData('deploy/helm/posthorn/values.yaml') as Record<string, unknown>;
  const known = fields(schema, '').filter((path) => path !== 'global');
  const at = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Schema & object)?.[key as 'properties'], values);
  expect(known.filter((path) => at(path) === undefined)).toEqual([]);
  const text = readFileSync(join(chartFolder, 'values.yaml'), 'utf8');
  const blocks = text.split('\n\n').filter((block) => !/^ *#/.test(block));
  expect(blocks).toEqual([]);
});

/** Settings that each service describes itself, with values that must be equal. */
const OF_BOTH = ['EGRESS_ALLOW_CIDRS', 'EGRESS_ALLOW_PLAINTEXT'];
/** The same, but the values may also differ between the services. */
const ALSO_OF_BOTH = ['RETRY_SCHEDULE', 'DELIVERY_TIMEOUT_SECONDS'];

test('the schema lets each service have its own settings, and no secret', () => {
  const config = (value: Schema | undefined) => Object.keys(value?.properties?.config?.properties ?? {}).sort();
  const shared = ofApi.filter(({ name }) => [...OF_BOTH, ...ALSO_OF_BOTH].includes(name));
  const open = (settings: { name: string }[]) =>
    names(settings)
      .filter((name) => !secrets.has(name) && !FIXED.includes(name))
      .sort();
  expect(config(schema)).toEqual(open([...both, ...shared]));
  const isOwn = ({ name }: { name: string }) => !OF_BOTH.includes(name);
  expect(config(schema.properties?.api)).toEqual(open(ofApi.filter(isOwn)));
  expect(config(schema.properties?.dispatcher)).toEqual(open(ofDispatcher.filter(isOwn)));
  const from = Object.keys(schema.properties?.secrets?.properties?.from?.properties ?? {});
  expect(from.filter((name) => !name.startsWith('POSTGRES_')).sort()).toEqual([...secrets].sort());
});

test('the chart has the version of the services', () => {
  const { version } = readData('package.json') as { version: string };
  expect(readData('deploy/helm/posthorn/Chart.yaml')).toMatchObject({ version, appVersion: version });
});

test('the addresses that the network policy forbids are those that Posthorn refuses', () => {
  const rules = readFileSync(join(projectRoot, 'packages/egress/src/address-rules.ts'), 'utf8');
  const template = readFileSync(join(chartFolder, 'templates/_network.tpl'), 'utf8');
  for (const family of ['IPv4', 'IPv6']) {
    const refused = rules.split(`refused${family} = [`)[1]?.split(']')[0] ?? '';
    const listed = template.split(`"posthorn.private${family}" -}}`)[1]?.split('{{-')[0] ?? '';
    const ranges = [...refused.matchAll(/^ *'([^']+)',/gm)].map(([, range]) => range);
    expect(ranges.length).toBeGreaterThan(4);
    expect(parse(listed)).toEqual(ranges);
  }
});
