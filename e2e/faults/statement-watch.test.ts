import { expect, test } from '@jest/globals';
import { readStatement } from '@posthorn/ledger/statement';
import { createStatementWatch } from './statement-watch.ts';

const CLAIM = 'update delivery d set lost_leases = greatest(d.lost_leases + 1, 0)';

/** The messages of a conversation: the startup, preparing and running a statement, and the replies. */
const startup = Buffer.concat([length(8), Buffer.from([0, 3, 0, 0])]);
const parse = (name: string, sql: string) => message('P', `${name}\0${sql}\0\0\0`);
const bind = (name: string, values = '') => message('B', `\0${name}\0${values}\0\0\0\0\0\0`);
const ready = message('Z', 'I');
const refused = message('E', 'SERROR\0\0');

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, 'latin1');
  return Buffer.concat([Buffer.from(type), length(bytes.length + 4), bytes]);
}

function length(bytes: number): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32BE(bytes);
  return written;
}

function watched(moment: 'before' | 'after', times = 1) {
  const watch = createStatementWatch();
  let acted = 0;
  const done = watch.at('claim', moment, () => {
    acted += 1;
    return acted < times;
  });
  return { watch, connection: watch.inspect(), acted: () => acted, done };
}

test('before: a repeated statement is recognized by its name, and its last bytes do not pass', async () => {
  const { connection, acted, done } = watched('before');
  expect(connection.toTarget(Buffer.concat([startup, parse('a', CLAIM), parse('b', 'select 1'), bind('b')]))).toBe(
    true,
  );
  expect(acted()).toBe(0);
  expect(connection.toTarget(bind('a'))).toBe(false);
  await done;
  expect(acted()).toBe(1);
});

test('after: the replies of Postgres pass until ReadyForQuery, which means that it has committed', async () => {
  const { connection, done } = watched('after');
  connection.toTarget(Buffer.concat([startup, parse('a', CLAIM), bind('a')]));
  expect(connection.fromTarget(message('D', 'a row'))).toBe(true);
  expect(connection.fromTarget(ready)).toBe(false);
  await done;
});

test('a statement in a transaction is committed by its end, whatever follows it there', async () => {
  const { connection, acted, done } = watched('after');
  connection.toTarget(Buffer.concat([startup, parse('a', CLAIM), parse('b', 'select 1')]));
  const run = (name: string) => {
    connection.toTarget(bind(name));
    return connection.fromTarget(message('Z', 'T'));
  };
  connection.fromTarget(message('Z', 'T'));
  expect([run('a'), run('b')]).toEqual([true, true]);
  expect(connection.fromTarget(Buffer.concat([message('C', 'ROLLBACK\0'), ready]))).toBe(true);
  expect(acted()).toBe(0);
  connection.fromTarget(message('Z', 'T'));
  expect([run('a'), run('b')]).toEqual([true, true]);
  expect(connection.fromTarget(Buffer.concat([message('C', 'COMMIT\0'), ready]))).toBe(false);
  await done;
  expect(acted()).toBe(1);
});

test('a statement that failed has committed nothing', () => {
  const { connection, acted } = watched('after');
  connection.toTarget(Buffer.concat([startup, parse('a', CLAIM), bind('a')]));
  expect(connection.fromTarget(Buffer.concat([refused, ready]))).toBe(true);
  expect(acted()).toBe(0);
});

test('statements are recognized however the bytes are cut into chunks', () => {
  const { connection, watch, acted } = watched('before', 2);
  const passed = [...Buffer.concat([startup, parse('a', CLAIM), bind('a')])].map((byte) =>
    connection.toTarget(Buffer.from([byte])),
  );
  expect(passed.filter((one) => !one)).toHaveLength(1);
  expect(passed.at(-1)).toBe(false);
  expect([acted(), watch.count('claim')]).toEqual([1, 1]);
});

test('it acts as long as `act` returns true, on any connection, and then no more', async () => {
  const { watch, acted, done } = watched('before', 2);
  const run = () => watch.inspect().toTarget(Buffer.concat([startup, parse('a', CLAIM), bind('a')]));
  expect([run(), run(), run()]).toEqual([false, false, true]);
  await done;
  expect(acted()).toBe(2);
});

test.each([
  ['accept', 'ingest'],
  ['accept-in-order', 'ingest'],
  ['create', 'fanOut'],
  ['create-page', 'fanOut'],
  ['claim', 'claim'],
  ['take', 'take'],
  ['settle', 'settle'],
] as const)('the statement %s is recognized by its text', (file, name) => {
  const watch = createStatementWatch();
  const { text } = readStatement(file);
  watch.inspect().toTarget(Buffer.concat([startup, parse('a', text), bind('a')]));
  expect(watch.count(name)).toBe(1);
});

test('messages with offers are told apart from others by their values', () => {
  const watch = createStatementWatch();
  const { toTarget } = watch.inspect();
  toTarget(
    Buffer.concat([startup, parse('', 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as m(c, p)')]),
  );
  const textOf = (kind: number) => Buffer.from([1, kind, 0xff]).toString('base64url');
  for (const kind of [0, 1, 2, 3]) toTarget(bind('', `{"posthorn_x"}{"${textOf(kind)}"}`));
  expect(watch.count('offer')).toBe(1);
  // Now the same name stands for another statement.
  toTarget(Buffer.concat([parse('', 'select 1'), bind('', `{"${textOf(2)}"}`)]));
  expect(watch.count('offer')).toBe(1);
});

test('one of so many notifications is left out, on connections that begin after that, and every other byte passes', () => {
  const watch = createStatementWatch();
  const before = watch.inspect();
  watch.loseNotifications(3);
  const { toTarget, fromTarget } = watch.inspect();
  toTarget(startup);
  const bytes = Buffer.concat([ready, ...[1, 2, 3, 4].map((n) => message('A', `${n}`)), ready]);
  const passed = [...bytes].map((byte) => fromTarget(Buffer.from([byte])) as Buffer);
  const kept = Buffer.concat([ready, ...[1, 2, 4].map((n) => message('A', `${n}`)), ready]);
  expect([Buffer.concat(passed).equals(kept), watch.lostNotifications()]).toEqual([true, 1]);
  expect(before.fromTarget(bytes)).toBe(true);
});
