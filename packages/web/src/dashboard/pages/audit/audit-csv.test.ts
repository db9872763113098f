import { expect, test } from '@jest/globals';
import { auditCsv } from './audit-csv.ts';

const entry = {
  id: '0190f6f0-0000-7000-8000-000000000000',
  actorType: 'user',
  actorId: 'usr_1',
  actorLabel: 'ada@example.com',
  visibility: 'workspace',
  action: 'endpoint.updated',
  resourceType: 'endpoint',
  resourceId: 'ep_1',
  metadata: { changes: { url: { from: 'a', to: 'b' } }, ip: null, userAgent: null, requestId: 'req_1' },
  createdAt: '2026-11-21T09:30:00.000Z',
} as const;

test('an entry is a line, with quotes doubled, in a file that Excel reads as UTF-8', () => {
  expect(auditCsv([entry])).toBe(
    '\uFEFF"time","actor_type","actor","actor_id","action","resource_type","resource_id","changes","ip","request_id"\r\n' +
      '"2026-11-21T09:30:00.000Z","user","ada@example.com","usr_1","endpoint.updated","endpoint","ep_1",' +
      '"{""url"":{""from"":""a"",""to"":""b""}}","","req_1"\r\n',
  );
});

test('a formula behind a semicolon, which separates cells in many countries, is text', () => {
  const changes = { description: { from: null, to: 'Shop;=1+1; @SUM(A1);a=b' } };
  expect(auditCsv([{ ...entry, metadata: { ...entry.metadata, changes } }])).toContain(
    `"{""description"":{""from"":null,""to"":""Shop;'=1+1;' @SUM(A1);a=b""}}"`,
  );
});

test('a formula behind a semicolon and a quote, which begin a cell in many countries, is text', () => {
  expect(auditCsv([{ ...entry, actorLabel: 'Shop;"=1+1' }])).toContain(`,"Shop;'""=1+1",`);
});

test.each([' =1+1', '=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('the formula %j is text', (actorLabel) => {
  expect(auditCsv([{ ...entry, actorLabel }])).toContain(`,"'${actorLabel}",`);
});
