import { afterEach, expect, test } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { apiErrorOf } from './api-error.ts';
import { createAppQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

test('a change in a browser that says it is offline is sent at once, and is not held for later', async () => {
  onlineManager.setOnline(false);
  const queryClient = createAppQueryClient(() => undefined);
  const mutationFn = (name: string) => Promise.resolve(`changed ${name}`);
  const change = queryClient.getMutationCache().build(queryClient, { mutationFn });
  await expect(change.execute('it')).resolves.toBe('changed it');
  change.destroy();
});

const refused = (status: number, headers: Record<string, string> = {}) =>
  apiErrorOf({ status, headers: new Headers(headers) }, null);

test('a query is asked again when the service asks to try again soon, and a later time or a refusal is told at once', async () => {
  const asked = async (error: Error) => {
    let times = 0;
    const queryClient = createAppQueryClient(() => undefined);
    const queryFn = () => {
      times += 1;
      return times === 1 ? Promise.reject(error) : Promise.resolve('read');
    };
    const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {};
    await queryClient.fetchQuery({ queryKey: ['it'], queryFn, retry, retryDelay, gcTime: 0 }).catch(() => undefined);
    queryClient.clear();
    return times;
  };
  expect(await asked(refused(429, { 'retry-after': '0' }))).toBe(2);
  expect(await asked(refused(503, { 'retry-after': '0' }))).toBe(2);
  expect(await asked(refused(429, { 'retry-after': '3600' }))).toBe(1);
  expect(await asked(refused(403))).toBe(1);
});

test('a wrong password of a change that asks for it does not look like a session that has ended', async () => {
  let ended = 0;
  const queryClient = createAppQueryClient(() => {
    ended += 1;
  });
  const change = async (meta?: Record<string, unknown>) => {
    const mutationFn = () => Promise.reject(refused(401));
    const built = queryClient.getMutationCache().build(queryClient, { mutationFn, ...(meta && { meta }) });
    await expect(built.execute(undefined)).rejects.toThrow();
    built.destroy();
  };
  await change({ asksPassword: true });
  expect(ended).toBe(0);
  await change();
  expect(ended).toBe(1);
});
