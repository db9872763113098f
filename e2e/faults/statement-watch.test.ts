import { expect, test } from '@jest/globals';
import { createStatementWatch } from './statement-watch.ts';

const CLAIM = 'update delivery d set lost_leases = d.lost_leases + 1';

/** The messages of a conversation: startup, preparing and running a statement, and the replies. */
const startup = Buffer.concat([length(8), Buffer.from([0, 3, 0, 0])]);
const parse = (name: string, sql: string) => message('P', `${name}\0${sql}\0\0\0`);
const bind = (name: string) => message('B', `\0${name}\0\0\0\0\0\0\0`);
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
