import { afterEach, expect, test } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
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
