import { describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from './address-rules.ts';
import { parseEndpointUrl } from './endpoint-url.ts';

const closed = parseAllowedCidrs('');
const loopback = parseAllowedCidrs('127.0.0.0/8,::1/128');
const FORBIDDEN = 'url must not point to a private or reserved address';

function messageOf(text: string): string {
  const parsed = parseEndpointUrl(text, closed);
  return parsed.kind === 'refused' ? parsed.message : `accepted as ${parsed.url}`;
}

describe('the form', () => {
  test.each([
    ['https://example.com', 'https://example.com/', 'example.com'],
    ['https://example.com:8443/hook?a=1&b=%20', 'https://example.com:8443/hook?a=1&b=%20', 'example.com'],
    ['https://example.com:443/', 'https://example.com/', 'example.com'],
    ['HTTPS://EXAMPLE.com/Hook', 'https://example.com/Hook', 'example.com'],
    [' https://example.com/\n', 'https://example.com/', 'example.com'],
    ['https://example.com./x', 'https://example.com/x', 'example.com'],
    ['https://example.com.:8443/x', 'https://example.com:8443/x', 'example.com'],
    ['https://a/../b/./c', 'https://a/b/c', 'a'],
    ['https:\\\\example.com\\x', 'https://example.com/x', 'example.com'],
    ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC', 'xn--mnchen-3ya.example'],
    ['https://_dmarc.my_host.example/', 'https://_dmarc.my_host.example/', '_dmarc.my_host.example'],
    ['https://8.8.8.8/', 'https://8.8.8.8/', '8.8.8.8'],
    ['https://134744072/', 'https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700:4700:0::1111]/', 'https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
    ['https://@example.com/', 'https://example.com/', 'example.com'],
    ['https://localhost.example.com/', 'https://localhost.example.com/', 'localhost.example.com'],
    ['https://notlocalhost/', 'https://notlocalhost/', 'notlocalhost'],
  ])('%s is stored as %s', (text, url, host) => {
    expect(parseEndpointUrl(text, closed)).toEqual({ kind: 'ok', url, host });
  });

  test.each([
    ['http://example.com/', 'Webhook URL must use HTTPS'],
    ['http://127.0.0.1/', 'Webhook URL must use HTTPS'],
    ['ftp://example.com/', 'Webhook URL must use HTTPS'],
    ['javascript:alert(1)', 'Webhook URL must use HTTPS'],
    ['unix:/var/run/docker.sock', 'Webhook URL must use HTTPS'],
    ['file:///etc/passwd', 'Webhook URL must use HTTPS'],
    ['', 'url must be a valid URL'],
    ['example.com', 'url must be a valid URL'],
    ['/hook', 'url must be a valid URL'],
    ['https://', 'url must be a valid URL'],
    ['https://exa mple.com/', 'url must be a valid URL'],
    ['https://example.com:99999/', 'url must be a valid URL'],
    ['https://1.2.3.4.5/', 'url must be a valid URL'],
    ['https://[::1', 'url must be a valid URL'],
    ['https://[fe80::1%25eth0]/', 'url must be a valid URL'],
    ['https://user@example.com/', 'url must not contain credentials'],
    ['https://user:secret@example.com/', 'url must not contain credentials'],
    ['https://:secret@example.com/', 'url must not contain credentials'],
    ['https://example.com/#here', 'url must not contain a fragment'],
    ['https://example.com/#', 'url must not contain a fragment'],
    ['https://example.com../', 'url must have a valid host name'],
    ['https://./', 'url must have a valid host name'],
    ['https://a..b/', 'url must have a valid host name'],
    ['https://*.example.com/', 'url must have a valid host name'],
    ['https://a,b/', 'url must have a valid host name'],
    [`https://${'a'.repeat(64)}.example/`, 'url must have a valid host name'],
    [`https://${'a.'.repeat(127)}example/`, 'url must have a valid host name'],
  ])('%s is refused: %s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  test('2,048 characters are accepted and one more is refused, as written and as stored', () => {
    const base = 'https://example.com/';
    expect(messageOf(base + 'a'.repeat(2_028))).toMatch(/^accepted/);
    expect(messageOf(base + 'a'.repeat(2_029))).toBe('url must be at most 2,048 characters');
    expect(messageOf(base + 'ü'.repeat(400))).toBe('url must be at most 2,048 characters');
    expect(messageOf('x'.repeat(1_000_000))).toBe('url must be at most 2,048 characters');
  });
});

test.each([0, 1, 22, 25, 110, 636, 1433, 3306, 5432, 6000, 6379, 6667, 9200, 10_080, 11_211, 27_017])(
  'port %d is refused, even when every address is open',
  (port) => {
    for (const url of [`https://example.com:${port}/`, `https://127.0.0.1:${port}/`, `https://[::1]:0${port}/x`]) {
      expect(parseEndpointUrl(url, loopback)).toEqual({
        kind: 'refused',
        reason: 'forbidden_address',
        message: `url must not use port ${port}`,
        rule: 'port',
      });
    }
  },
);

test.each([80, 443, 444, 3_000, 8_080, 8_443, 10_081, 65_535])('port %d is accepted', (port) => {
  expect(parseEndpointUrl(`https://example.com:${port}/`, closed)).toMatchObject({ kind: 'ok' });
});

describe('a forbidden address is refused in every notation', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/hook',
    'https://127.0.0.1./',
    'https://127.0.0.1../',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0x7F.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0177.0x0.0.1/',
    'https://00000177.1/',
    'https://%31%32%37.0.0.1/',
    'https://127%2e0%2e0%2e1/',
    'https://１２７.０.０.１/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://127.0.0.1\\@example.com/',
    'https:127.0.0.1',
    'https:\\\\127.0.0.1/',
    'https://\t127.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://168.63.129.16/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://4294967295/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[0000:0000::0001]:443/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://ｌocalhost/',
    'https://loc%61lhost:8443/',
    'https://foo.localhost/',
    'https://foo.bar.localhost./',
  ])('%s', (text) => {
    expect(parseEndpointUrl(text, closed)).toEqual({
      kind: 'refused',
      reason: 'forbidden_address',
      message: FORBIDDEN,
      rule: 'private_address',
    });
  });
});

test.each([
  'https://127.0.0.1:8443/',
  'https://127.1/',
  'https://[::1]/',
  'https://localhost:8443/',
  'https://a.localhost/',
])('when loopback is opened, %s is accepted', (text) => {
  expect(parseEndpointUrl(text, loopback)).toMatchObject({ kind: 'ok' });
});

test.each(['https://10.0.0.1/', 'https://[::2]/', 'https://0.0.0.0/'])('opening loopback does not open %s', (text) => {
  expect(parseEndpointUrl(text, loopback)).toMatchObject({ reason: 'forbidden_address' });
});

test('localhost is open as soon as one loopback address is', () => {
  expect(parseEndpointUrl('https://localhost/', parseAllowedCidrs('127.0.0.1'))).toMatchObject({ kind: 'ok' });
  expect(parseEndpointUrl('https://localhost/', parseAllowedCidrs('10.0.0.0/8'))).toMatchObject({ kind: 'refused' });
});
