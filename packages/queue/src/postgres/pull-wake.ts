import type { PullListener, PullListenerOptions, PullWaker } from '../pull-wake.ts';
import { bytesOfIds, idsOf, MOST_BODY } from './bus.ts';
import { HELD } from './held.ts';
import { placesOf, RENEW_EVERY_MS, untilHeard } from './places.ts';
import type { Shared } from './shared.ts';

/** How long ids are gathered for one message. */
const GATHERS_FOR_MS = 5;
/** The most endpoints to gather. Consumers of further ones are woken when the API looks by itself. */
const MOST_GATHERED = 5_000;
const MOST_OF_A_MESSAGE = Math.floor(MOST_BODY / 16);

/** Wakes consumers, by messages to the processes at which they wait. While the bus is down, nobody is woken. */
export function createPullWaker({ bus, presence }: Pick<Shared, 'bus' | 'presence'>): PullWaker {
  const gathered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    const endpointIds = [...gathered];
    gathered.clear();
    for (let at = 0; at < endpointIds.length; at += MOST_OF_A_MESSAGE) {
      const body = bytesOfIds(endpointIds.slice(at, at + MOST_OF_A_MESSAGE));
      for (const process of presence.waiting()) bus.send(process, 'fetchable', body);
    }
  };
  return {
    wake(endpointIds) {
      if (presence.waiting().length === 0) return;
      for (const endpointId of endpointIds) {
        if (gathered.size >= MOST_GATHERED) break;
        gathered.add(endpointId);
        timer ??= setTimeout(send, GATHERS_FOR_MS);
      }
    },
    close: async () => send(),
  };
}

type ListenerOptions = Pick<Shared, 'db' | 'bus' | 'presence' | 'processId' | 'onError'> & PullListenerOptions;

/** Shows that consumers wait at this process, with a row that the process renews. */
export function createPullListener(options: ListenerOptions): PullListener {
  const { db, bus, presence, processId, onWake, onConnected, onError } = options;
  const places = placesOf(db, HELD.waits, processId);
  const hold = () => places.hold([processId]);
  let close: (() => void) | undefined;
  const show = async () => {
    await hold();
    presence.hurry();
    // Messages may have been missed before others knew about this process.
    await untilHeard();
    if (close !== undefined) onConnected();
  };
  return {
    listen() {
      if (close !== undefined) return;
      const renewing = setInterval(() => void hold().catch(onError), RENEW_EVERY_MS);
      renewing.unref();
      const off = [
        bus.on('fetchable', (body) => onWake(idsOf(body))),
        bus.onConnected(() => {
          onConnected();
          show().catch(onError);
        }),
      ];
      close = () => {
        close = undefined;
        clearInterval(renewing);
        for (const end of off) end();
        // A row that cannot be deleted ends at its time.
        places.leave([processId]).catch(() => undefined);
      };
    },
    close: () => close?.(),
  };
}
