import { gzipSync } from 'node:zlib';
import type { RawConnection } from '@posthorn/testkit/receiver';
import type { Behaviour } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Tools } from '../row.ts';
import { residentMb } from './process-watch.ts';

const TIMEOUT_SECONDS = 2;
const LATEST_END_MS = TIMEOUT_SECONDS * 1_000 + 500;
const AT_ONCE = 200;
/** A new endpoint gets few slots. This many endpoints together get 200. */
const ENDPOINTS_OF_A_KIND = 20;
const MEMORY_GROWTH_MB = 50;

/** What each kind of response sends, and whether it counts as delivered. */
const KINDS: Record<string, { answer: (connection: RawConnection) => void; endsAs: 'delivered' | 'dead_letter' }> = {
  hangs: { answer: () => undefined, endsAs: 'dead_letter' },
  'drips-headers': {
    endsAs: 'dead_letter',
    answer: ({ socket, repeat }) => {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      repeat(50, () => socket.write('a'));
    },
  },
  'drips-body': {
    endsAs: 'dead_letter',
    answer: ({ socket, repeat }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      repeat(50, () => socket.write('a'));
    },
  },
  'never-ends': {
    endsAs: 'dead_letter',
    answer: ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'),
  },
  'endless-headers': {
    endsAs: 'dead_letter',
    answer: ({ socket, repeat }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(5, () => socket.write(`x-more: ${'a'.repeat(1_000)}\r\n`));
    },
  },
  // The dispatcher does not wait for the rest of a body over 16 KiB, so the status counts.
  'endless-body': {
    endsAs: 'delivered',
    answer: ({ socket, repeat }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      repeat(5, () => socket.write(`ffff\r\n${'a'.repeat(0xffff)}\r\n`));
    },
  },
  'gzip-bomb': {
    endsAs: 'delivered',
    answer: ({ socket }) => {
      bomb ??= gzipSync(Buffer.alloc(15_000_000));
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  },
};

/**
 * A compressed body that is smaller than the part of a response that is kept. Decompressed, it is 1,000 times as large.
 */
let bomb: Buffer | undefined;

/** Sends responses of each kind with the concurrency of the mark, and watches the memory of the only dispatcher. */
export async function hostileAnswers(rig: Rig, { scaled, say }: Tools) {
  const atOnce = Math.max(20, scaled(AT_ONCE));
  const memory = watchMemory(() => rig.dispatchers[0]?.pid() ?? 0);
  const names: string[] = [];
  // The burst first fills the memory that ordinary responses need, so that it does not count.
  await rig.load.burst(atOnce * 10, { concurrency: 64 });
  await rig.drain();
  const beforeMb = memory.nowMb();
  const openMs: number[] = [];
  const most = { inFlight: 0, memoryMb: 0 };
  for (const [kind, { answer, endsAs }] of Object.entries(KINDS)) {
    const to = [];
    for (let n = 0; n < ENDPOINTS_OF_A_KIND; n += 1) {
      const name = `${kind}-${n}`;
      const config = { timeoutSeconds: TIMEOUT_SECONDS, retrySchedule: [1] };
      const behaviour: Behaviour = ({ atMs }) => ({
        raw(connection) {
          connection.socket.once('close', () => kind !== 'gzip-bomb' && openMs.push(Date.now() - atMs));
          answer(connection);
        },
      });
      const { eventType } = await rig.addEndpoint({ name, config, behaviour, endsAs, loaded: false });
      to.push({ eventType, endpoints: [name] });
      names.push(name);
    }
    memory.begin();
    await rig.load.burst(atOnce, { to, concurrency: 64 });
    const inFlight = await mostInFlight(rig);
    await rig.drain();
    const mb = memory.mostMb();
    say(`${kind}: ${inFlight} in flight, memory ${mb} MB after ${beforeMb} MB`);
    most.memoryMb = Math.max(most.memoryMb, mb);
    if (endsAs === 'dead_letter') most.inFlight = Math.max(most.inFlight, inFlight);
  }
  memory.end();
  const longestMs = await longestAttempt(rig, names);
  const marks = [
    { what: 'longest attempt', unit: 'ms' as const, value: longestMs, atMost: LATEST_END_MS },
    { what: 'longest at the receiver', unit: 'ms' as const, value: Math.max(...openMs), atMost: LATEST_END_MS },
    { what: 'at once', value: most.inFlight, atLeast: Math.floor(atOnce * 0.9) },
    { what: 'memory growth, MB', value: most.memoryMb - beforeMb, atMost: MEMORY_GROWTH_MB },
  ];
  return { duplicatesAtMost: 0, marks };
}

/** The largest number of attempts in flight within the next second. */
async function mostInFlight(rig: Rig): Promise<number> {
  let most = 0;
  for (let n = 0; n < 10; n += 1) {
    most = Math.max(most, await rig.inFlight());
    await rig.elapsed(100);
  }
  return most;
}

async function longestAttempt(rig: Rig, names: readonly string[]): Promise<number> {
  const urls = names.map((name) => rig.receivers.urlOf(name));
  const { _max } = await rig.db.attempt.aggregate({ _max: { durationMs: true }, where: { url: { in: urls } } });
  return _max.durationMs ?? 0;
}

/** Watches the resident memory of a process. The peak counts from `begin`. */
function watchMemory(pid: () => number) {
  const nowMb = () => residentMb(pid(), 'now');
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, nowMb());
  }, 100);
  return {
    nowMb,
    begin() {
      most = nowMb();
    },
    mostMb: () => Math.max(most, nowMb()),
    end: () => clearInterval(timer),
  };
}
