import { createServer } from 'node:net';
import { freePort, isFree } from '@posthorn/testkit/free-port';
import type { Run } from './run.ts';

/** Returns the wanted port if it is free and this instance may use it, else any free one. */
export type PickPort = (wanted: number) => Promise<number>;

/**
 * The instance that uses the fixed ports also listens here. Otherwise, two instances that start at the same moment
 * would both find the same port free.
 */
const HOLDER_PORT = 9_463;

export const pickFreePort: PickPort = () => freePort();

/**
 * The first instance on a machine gets fixed ports, so that its addresses can be bookmarked. Every other one gets free
 * ports. `reserved` are ports that the caller uses for other things. The claim ends with the run.
 */
export async function claimFixedPorts(
  run: Pick<Run, 'onStop'>,
  reserved: readonly number[],
  holderPort = HOLDER_PORT,
): Promise<PickPort> {
  const holder = createServer((socket) => void socket.destroy());
  const isHeld = await new Promise<boolean>((resolve) => {
    holder.once('error', () => resolve(false));
    holder.listen({ port: holderPort, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  if (!isHeld) return pickFreePort;
  run.onStop({ name: 'fixed ports', hurryAfterMs: 0, stop: async () => void holder.close() });
  return async (wanted) => (!reserved.includes(wanted) && (await isFree(wanted)) ? wanted : await freePort());
}
