import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { awaitReady, startService } from './service-process.ts';

test('the answer of another process at its port is not taken for the readiness of a service', async () => {
  const other = createServer((_request, response) => void response.end('ok'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  // Without its settings, the service ends after a moment, as it does when its port is taken.
  const service = startService({ service: 'dispatcher', port, settings: {} });
  await expect(awaitReady(service)).rejects.toThrow(/^dispatcher is not ready; it wrote:\n.*DATABASE_URL/s);
  await new Promise((resolve) => other.close(resolve));
});
