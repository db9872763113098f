import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAllowedAddress, parseAllowedCidrs } from './address-rules.ts';

const closed = parseAllowedCidrs('');

// Ranges as first and last address, a different notation from the one under test.
const forbiddenIPv4: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

describe('IPv4', () => {
  const ranges = forbiddenIPv4.map(([first, last]) => [toNumber(first), toNumber(last)] as const);
  const isForbidden = (address: number) => ranges.some(([first, last]) => address >= first && address <= last);

  test.each(forbiddenIPv4)('%s to %s is refused, and its neighbours are accepted', (first, last) => {
    expect(isAllowedAddress(first, closed)).toBe(false);
    expect(isAllowedAddress(last, closed)).toBe(false);
    for (const neighbour of [toNumber(first) - 1, toNumber(last) + 1]) {
      if (neighbour < 0 || neighbour >= 2 ** 32) continue;
      expect([toText(neighbour), isAllowedAddress(toText(neighbour), closed)]).toEqual([toText(neighbour), true]);
    }
  });

  test('the first and last address of every /16 of the space is decided correctly', () => {
    const wrong: string[] = [];
    for (let block = 0; block < 2 ** 16; block += 1) {
      for (const address of [block * 2 ** 16, block * 2 ** 16 + 65_535]) {
        if (isAllowedAddress(toText(address), closed) === isForbidden(address)) wrong.push(toText(address));
      }
    }
    expect(wrong).toEqual([]);
  });

  test('any address of the space is decided correctly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (address) => {
        expect(isAllowedAddress(toText(address), closed)).toBe(!isForbidden(address));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('IPv6', () => {
  test.each([
    ['unspecified', '::', '::'],
    ['loopback', '::1', '::1'],
    ['IPv4-compatible', '::7f00:1', '::ffff:ffff'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:7f00:1', '::ffff:0:808:808'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['all of ::/8', '1::1', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
    ['unassigned', '400::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['protocol assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['Teredo', '2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
    ['ORCHID', '2001:10::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unassigned', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['SRv6', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['metadata service', 'fd00:ec2::254', 'fd20:ce::254'],
    ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local with a zone', 'fe80::1%eth0', 'fe80::1%1'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s is refused: %s, %s', (_, first, last) => {
    expect(isAllowedAddress(first, closed)).toBe(false);
    expect(isAllowedAddress(last, closed)).toBe(false);
  });

  test.each([
    '2000::',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
    '2001:4860:4860::8888',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
    '2606:4700:4700::1111',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('the public neighbour %s is accepted', (address) => {
    expect(isAllowedAddress(address, closed)).toBe(true);
  });

  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });

  test('nothing outside 2000::/3 is accepted', () => {
    const outside = group.filter((first) => first >> 13 !== 1);
    fc.assert(
      fc.property(outside, groups(7), (first, rest) => {
        expect(isAllowedAddress([first, ...rest].map((part) => part.toString(16)).join(':'), closed)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no IPv6 address that carries an IPv4 one is accepted', () => {
    fc.assert(
      fc.property(group, group, (high, low) => {
        const carried = `${high.toString(16)}:${low.toString(16)}`;
        for (const carrier of [`::${carried}`, `::ffff:${carried}`, `64:ff9b::${carried}`, `2002:${carried}::1`]) {
          expect(isAllowedAddress(carrier, closed)).toBe(false);
        }
      }),
    );
  });

  test('every address of 2000::/3 outside the refused ranges is accepted', () => {
    const free = fc.integer({ min: 0x2003, max: 0x3ffe }).filter((first) => first !== 0x2620);
    fc.assert(
      fc.property(free, groups(7), (first, rest) => {
        expect(isAllowedAddress([first, ...rest].map((part) => part.toString(16)).join(':'), closed)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each(['', ' ', 'localhost', 'example.com', '127.1', '0x7f.0.0.1', '010.0.0.1', '8.8.8', '8.8.8.8 ', '[2003::1]'])(
  'a text that is not an address is refused: "%s"',
  (text) => {
    expect(isAllowedAddress(text, closed)).toBe(false);
  },
);

describe('opened ranges', () => {
  const rules = parseAllowedCidrs(' 127.0.0.0/8, 10.1.2.3/32,192.168.7.7 ,fd00:1::/32,::1 , 64:ff9b::/96,');

  test.each([
    '127.0.0.1',
    '127.255.255.255',
    '10.1.2.3',
    '192.168.7.7',
    'fd00:1::1',
    '::1',
    '64:ff9b::a00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '8.8.8.8',
    '2003::1',
  ])('%s may be reached', (address) => {
    expect(isAllowedAddress(address, rules)).toBe(true);
  });

  test.each([
    '10.1.2.2',
    '10.1.2.4',
    '192.168.7.6',
    'fd00:2::1',
    '::',
    '::2',
    '::7f00:1',
    '::ffff:10.1.2.2',
    '::ffff:8.8.8.8',
    '169.254.169.254',
  ])('%s may not', (address) => {
    expect(isAllowedAddress(address, rules)).toBe(false);
  });

  test('a range is opened completely, whichever of its addresses it is written with', () => {
    expect(isAllowedAddress('10.0.0.9', parseAllowedCidrs('10.200.3.4/8'))).toBe(true);
  });

  test('a range opens only addresses of its own family', () => {
    expect(isAllowedAddress('127.0.0.1', parseAllowedCidrs('::/0'))).toBe(false);
    expect(isAllowedAddress('fd00::1', parseAllowedCidrs('0.0.0.0/0'))).toBe(false);
  });

  test.each([
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/0x8',
    '10.0.0.0/1e1',
    '10/8',
    '010.0.0.0/8',
    '10.0.0.0/255.0.0.0',
    'fe80::1%eth0/64',
    '[::1]',
    'localhost',
    'loopback',
    '10.0.0.0 /8',
  ])('the error names a bad item: %s', (item) => {
    expect(() => parseAllowedCidrs(`127.0.0.0/8,${item}`)).toThrow(`"${item}" is not an address range`);
  });
});

function toNumber(address: string): number {
  return address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

function toText(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.');
}
