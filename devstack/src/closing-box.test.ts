import { expect, test } from '@jest/globals';
import { closingBox } from './closing-box.ts';
import type { Instance } from './instance-file.ts';

const instance: Instance = {
  baseUrl: 'http://127.0.0.1:3000',
  dashboardUrl: 'http://127.0.0.1:3000',
  mailboxUrl: 'http://127.0.0.1:8025',
  metricsUrl: 'http://127.0.0.1:9464/metrics',
  databaseUrl: '',
  redisUrl: '',
  workspaceId: 'ws_1',
  environmentId: 'env_1',
  managementToken: 'phm_1',
  apiKey: 'phk_1',
  login: { email: 'a@example.com', password: 'p' },
  admin: { user: 'admin', password: 'q' },
  processes: [{ name: 'api', pid: 1, metricsUrl: 'http://127.0.0.1:9464/metrics' }],
};
const place = { home: '/tmp/a home', environmentFile: '/tmp/a home/env' };

test('the dashboard comes first, and the reference, the metrics and the commands follow', () => {
  const box = closingBox(instance, { kind: 'arrived', words: '' }, place);
  const parts = [
    'Posthorn is ready.',
    'Dashboard',
    'http://127.0.0.1:8025',
    '/docs',
    '/reference',
    '9464/metrics',
    'npm run receiver',
    "\n. '/tmp/a home/env'",
  ];
  const places = parts.map((part) => box.indexOf(part));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test.each([
  ['failed' as const, 'msg_1 did not arrive within 15 s', 'dispatcher-1.log'],
  ['skipped' as const, 'EGRESS_ALLOW_CIDRS= does not open 127.0.0.1', 'skipped'],
])('a demo that %s is said with its reason, and nothing is called ready', (kind, words, also) => {
  const box = closingBox(instance, { kind, words }, place);
  expect(box).toContain(words);
  expect(box).toContain(also);
  expect(box).not.toContain('ready');
});
