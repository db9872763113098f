import { hasKafka } from '@posthorn/testkit/kafka';
import { findPostgres } from '@posthorn/testkit/postgres-server';
import { hasRedisServer } from '@posthorn/testkit/redis-servers';
import { type ShortRow, testShortRows } from './short-rows.ts';

// These rows start their own servers, so they need the server's program.
const ownPostgres: ShortRow[] = (await findPostgres()) === undefined ? [] : [['postgres-failover', 0.03]];
const ownRedis: ShortRow[] = hasRedisServer
  ? [
      ['redis-cluster-slot-moved', 0.1],
      ['redis-sentinel-master-killed', 0.1],
    ]
  : [];

const kafka: ShortRow[] = hasKafka() ? [['kafka-source', 0.02]] : [];

const withoutRedis: ShortRow[] = [
  ['bus-lossy', 0.1],
  ['unlogged-emptied', 0.1],
  ['dispatcher-kill', 0.03, 'postgres'],
  ['one-killed', 0.1],
];

testShortRows([
  ['postgres-restart', 0.03],
  ...ownPostgres,
  ['recovery-killed', 0.02],
  ...ownRedis,
  ...withoutRedis,
  ...kafka,
]);
