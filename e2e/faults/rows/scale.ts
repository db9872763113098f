import { type Row, TWO_SERVICES } from '../row.ts';
import { fanOutWide } from './fan-out-wide.ts';
import { retryBehindFlood } from './retry-behind-flood.ts';
import { SEALING_KEYS } from './scale-backlog.ts';
import { millionDeleted } from './scale-deleted.ts';
import { millionDue } from './scale-due.ts';
import { expiredLease } from './scale-expired-lease.ts';
import { unreadable } from './scale-unreadable.ts';

const settings = { SEALING_KEYS };

/** Rows with many deliveries, or with a few bad ones among many. */
export const scaleRows: readonly Row[] = [
  {
    name: 'million-due',
    fault: '1,000,000 deliveries are due',
    pass: 'ingest p99 ≤ 2 times that with 20,000, list p99 ≤ 100 ms, Redis < 100 MB, drain ≥ 90 % of the empty rate',
    rig: { settings, gates: false },
    run: millionDue,
  },
  {
    name: 'million-deleted',
    fault: 'an environment with 1,000,000 due deliveries is deleted',
    pass: 'answered ≤ 500 ms, no claim after it, first attempts of other environments p99 ≤ 1.5 times',
    rig: { settings },
    run: millionDeleted,
  },
  {
    name: 'unreadable',
    shapes: TWO_SERVICES,
    fault: 'four of 10,000 payloads cannot be decrypted',
    pass: 'the four end as failed with payload_unreadable, without a request; the others are delivered',
    rig: { settings },
    run: unreadable,
  },
  {
    name: 'expired-lease-behind-backlog',
    fault: 'a dispatcher is killed while 20,000 jobs wait',
    pass: 'its deliveries in flight are attempted again ≤ 30 s after',
    rig: { settings: { ...settings, DELIVERY_CONCURRENCY: '4' } },
    run: expiredLease,
  },
  fanOutWide,
  retryBehindFlood,
];
