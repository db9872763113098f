import type { TLSSocket } from 'node:tls';
import type { ReceiverAnswer } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';

const PER_SECOND = 20;

export const unannouncedCloseRow: Row = {
  name: 'receiver-closes-unannounced',
  fault:
    'a receiver announces that it keeps connections, and closes each one when its second request arrives; there are no retries',
  pass: 'every event delivered, failed attempts 0',
  run: closeUnannounced,
};

async function closeUnannounced(rig: Rig, { scaled, say }: Tools) {
  const used = new WeakSet<TLSSocket>();
  let closes = 0;
  const { uuid, eventType, name } = await rig.addEndpoint({
    name: 'closes-unannounced',
    loaded: false,
    config: { retrySchedule: [] },
    behaviour: (): ReceiverAnswer => ({
      raw: ({ socket }) => {
        if (used.has(socket)) {
          closes += 1;
          socket.destroy();
          return;
        }
        used.add(socket);
        socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok');
      },
    }),
  });
  // The rate is steady: a burst would need hundreds of handshakes at once, and measure these instead.
  const seconds = scaled(20);
  await rig.load.steady(PER_SECOND, seconds, { to: [{ eventType, endpoints: [name] }] });
  const events = PER_SECOND * seconds;
  await rig.drain();
  const url = rig.receivers.urlOf(name);
  const [delivered, failed, reconnected] = await Promise.all([
    rig.db.delivery.count({ where: { endpointId: uuid, status: 'delivered' } }),
    rig.db.attempt.count({ where: { url, succeeded: false } }),
    rig.db.attempt.count({ where: { url, reconnected: true } }),
  ]);
  const faults = await rig.db.attempt.groupBy({ by: ['errorMessage'], where: { url, succeeded: false }, _count: true });
  for (const { errorMessage, _count } of faults) say(`${_count} attempts failed: ${errorMessage}`);
  say(`${closes} connections closed without notice, ${reconnected} attempts went on over a new one`);
  const marks = [
    { what: 'delivered', value: delivered, atLeast: events },
    { what: 'failed attempts', value: failed, atMost: 0 },
    { what: 'reconnected attempts', value: reconnected, atLeast: 1 },
  ];
  // The receiver also records a request that it does not answer.
  return { duplicatesAtMost: closes, marks };
}
