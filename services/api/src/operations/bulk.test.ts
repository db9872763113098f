import { afterAll, expect, test } from '@jest/globals';
import { startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';

const api = await startApi();
afterAll(() => api.stop());

test.each(['2020-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()])(
  'a filter of deliveries that there cannot be is refused by the field and the rule: %s',
  async (time) => {
    const call = createCaller(api.app, { base: api.base, token: api.managementToken });
    const past = time < '2021';
    const filter = past ? { from: '2019-01-01T00:00:00Z', to: time } : { from: time };
    const { status, body } = await call('post', '/deliveries/retry', { filter, dryRun: true });
    expect([status, body.error.message]).toEqual([
      400,
      past
        ? 'filter.to must be after the beginning of the retention'
        : 'filter.from must be before filter.to and before now',
    ]);
  },
);

test('the filter of an operation is kept with ids: an external id may name a customer who is erased later', async () => {
  const call = createCaller(api.app, { base: api.base, token: api.managementToken });
  const application = await call('post', '/applications', { name: 'Ann', externalId: 'ann-of-acme' });
  const path = `/applications/${application.body.id}/endpoints`;
  const given = { type: 'pull', environmentId: api.environmentId, externalId: 'laptop-of-ann' };
  const endpoint = await call('post', path, given);
  const ids = { applicationId: application.body.id, endpointId: endpoint.body.id };
  const filter = { applicationId: 'ext:ann-of-acme', environmentId: api.environmentId, status: 'failed' };
  const all = await call('post', '/deliveries/retry', { filter: { ...filter, endpointId: 'ext:laptop-of-ann' } });
  expect(all.body).toMatchObject({ filter: { ...filter, ...ids } });
  const former = { environment_id: api.environmentId, endpoint_id: 'ext:laptop-of-ann' };
  const one = await call('post', '/deliveries/cancel', { filter: former });
  expect(one.body.filter).toEqual({ ...former, endpoint_id: ids.endpointId });
  const kept = await api.db.auditEntry.findMany({ where: { action: 'operation.started' } });
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept.map(({ metadata }) => metadata))).not.toMatch(/ext:/);
});
