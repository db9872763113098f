import { expect, test } from '@jest/globals';
import { parseRedisUrl } from './redis-url.ts';

test.each(['redis://cache', 'redis://cache:7000/3', 'redis://:secret@[::1]:7000/?family=6', 'redis://'])(
  '%s is one server',
  (url) => {
    expect(parseRedisUrl(url)).toEqual({ kind: 'single', url, isEncrypted: false });
  },
);

test('sentinels have addresses, the name of the master, and the login of the servers behind them', () => {
  expect(parseRedisUrl('redis+sentinel://ann:p%40ss%2F1@s1,s2:7000,[::1]:7001/main')).toEqual({
    kind: 'sentinel',
    isEncrypted: false,
    login: { username: 'ann', password: 'p@ss/1' },
    master: 'main',
    sentinels: [
      { host: 's1', port: 26379 },
      { host: 's2', port: 7000 },
      { host: '::1', port: 7001 },
    ],
  });
});

test('a Cluster has nodes and a login, which may be a password alone', () => {
  expect(parseRedisUrl('rediss+cluster://:secret@n1:7000,n2')).toEqual({
    kind: 'cluster',
    isEncrypted: true,
    login: { password: 'secret' },
    nodes: [
      { host: 'n1', port: 7000 },
      { host: 'n2', port: 6379 },
    ],
  });
});

test.each([
  ['another scheme', 'http://cache', /^must begin with redis:\/\//],
  ['an unknown kind', 'redis+pair://cache', /^must begin with redis:\/\//],
  ['several hosts without a kind', 'redis://cache,other', /one host/],
  ['several ports without a kind', 'redis://cache:1,other:2', /one host/],
  ['options of a Cluster', 'redis+cluster://cache?db=1', /without options/],
  ['an @ in the password', 'redis+cluster://ann:se@cret@cache', /%40/],
  ['no master', 'redis+sentinel://s1,s2', /name of the master/],
  ['a database of a Cluster', 'redis+cluster://cache/2', /no path/],
  ['an empty host', 'redis+cluster://cache,,n2', /host:port/],
  ['no host of a Cluster', 'redis+cluster://', /host:port/],
  ['a port out of range', 'redis+cluster://cache:70000', /1 to 65535/],
  ['a broken escape', 'redis+cluster://ann:100%@cache', /%25/],
  ['a broken escape of one server', 'redis://ann:100%@cache', /%25/],
  ['a / in the password', 'redis://ann:se/cret@cache', /%2F/],
  ['a # in the password', 'redis://ann:se#cret@cache', /%23/],
  ['a ? in the password', 'redis://ann:se?cret@cache', /%3F/],
  ['a / in a password that reads as a port', 'redis://ann:1/cret@cache', /%2F/],
  ['a # in a password that reads as a port', 'redis://ann:1#cret@cache', /%23/],
  ['a ? in a password that reads as a port', 'redis://ann:1?cret@cache', /%3F/],
  ['a / in the password of sentinels', 'redis+sentinel://ann:1/cret@cache', /%2F/],
  ['a database that is not a number', 'redis://cache/cret', /number of a database/],
])('%s is refused with the rule, and the text is not repeated', (_case, text, rule) => {
  expect(() => parseRedisUrl(text)).toThrow(rule);
  expect(() => parseRedisUrl(text)).not.toThrow(/cret|cache|100%@/);
});
