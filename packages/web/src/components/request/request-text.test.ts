import { expect, test } from '@jest/globals';
import { type PreviewInput, requestPreview } from './request-preview.ts';

const INPUT: PreviewInput = {
  url: 'https://example.com/hooks',
  format: 'raw',
  signature: 'standard',
  headers: { 'x-team': 'billing' },
  secretHeaderNames: ['x-api-key'],
  workspaceId: 'ws_1',
  environmentId: 'env_1',
  type: 'order.created',
  payload: '{\n  "total": 1.0\n}',
  at: '2026-11-21T09:30:00.000Z',
};

function bodyOf(format: PreviewInput['format']): string {
  return requestPreview({ ...INPUT, format }).split('\n\n')[1] ?? '';
}

test('raw is the payload as it is written', () => {
  expect(bodyOf('raw')).toBe(INPUT.payload);
});

test('an envelope has the id, the type, the time and the payload', () => {
  expect(JSON.parse(bodyOf('envelope'))).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'order.created',
    timestamp: INPUT.at,
    data: { total: 1 },
  });
});

test('a CloudEvent has its source and its content type', () => {
  expect(JSON.parse(bodyOf('cloudevents'))).toMatchObject({
    specversion: '1.0',
    source: '/workspaces/ws_1/environments/env_1',
    time: INPUT.at,
    data: { total: 1 },
  });
});

test('the head has the headers, the names of the secret ones, and both signatures for Ed25519', () => {
  const preview = requestPreview({ ...INPUT, signature: 'standard-ed25519' });
  expect(preview).toContain('x-team: billing\nx-api-key: […]');
  expect(preview).toContain('webhook-signature: v1,… v1a,…');
});
