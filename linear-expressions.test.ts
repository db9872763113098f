import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { expect, test } from '@jest/globals';
import { emailAddress } from '@posthorn/contract/accounts';
import { offsetDateTime } from '@posthorn/contract/primitives';
import ts from 'typescript-api';

// A regular expression that takes quadratic time lets one request stop a process. Every expression of the product stands
// here with a text that it matches. The test derives hostile texts from that text and measures the slowest of them.

const DATES = ['Fri, 31 Dec 1999 23:59:59 GMT', 'Friday, 31-Dec-99 23:59:59 GMT', 'Fri Dec 31 23:59:59 1999'];
const TRACEPARENT = `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`;

/** Each expression as it is written in the sources, with texts that it matches. */
const listed: [expression: RegExp, ...matching: string[]][] = [
  [/^\d{4}-\d\d-\d\d(?:[T ]|$)/, '2026-11-25T'],
  [/^[a-zA-Z0-9]{32}$/, 'a'.repeat(32)],
  [/^-?(?:0|[1-9]\d{0,255})(?:\.\d{1,255})?(?:[eE][+-]?\d{1,4})?$/, '-19.50e+3'],
  [/^0+/, '0012'],
  [/^[a-z][a-z0-9_]{0,31}$/, 'order_id'],
  [/[\\.]/g, 'a.b'],
  [/^mcs_[0-9a-hjkmnp-tv-z]{26}$/, `mcs_${'0'.repeat(26)}`],
  [/^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/, '*.agent.example'],
  [/[\\*_~`|<>[\]()#]/g, 'a*b'],
  [/^[\w.-]+$/, 'a-b.c_1'],
  [/[\u0080-\uffff]/g, 'ä'],
  [/[\u007f-\u009f]/g, 'a\u009b'],
  [/[&<>]/g, 'a&b'],
  [/[&'+<>`\u0080-\uffff]/g, "a'b"],
  [/[!'()*]/g, 'a(b'],
  [/%[0-9A-F]{2}/g, 'a%2Fb'],
  [/^\s{0,100}<(?:!doctype html|html)[\s>]/i, '<!doctype html>'],
  [/[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]+/gu, 'a\r\nb'],
  [/[“”„‟"«»]/g, 'a”b'],
  [/\S+/g, 'a b'],
  [/([.:/\\])(?=[^\u200b])/g, 'https://example.com'],
  [/^[“(]?[\w.+-]{1,100}@[\w-]{1,63}(\.[\w-]{1,63})+[”).]?$/, '“ann@example.com'],
  [/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i, 'hooks.example.com'],
  [/[&<>"']/g, 'a<b'],
  [/(^|;)(?=[ "]*[=+\-@\t\r\n])/g, ';" =a'],
  [/^smtps?:\/\//i, 'smtps://mail.example.com'],
  [/^\[(.*)\]$/, '[::1]'],
  [/^([^<>]{0,200})<([^<>]{1,300})>$/, 'Ann <ann@example.com>'],
  [/[\p{Cc}"\\]/u, 'a"b'],
  [/[\s/?#@\\]/, 'a b'],
  [/[^:]:(\d{1,5})$/, 'nats.example.com:4222'],
  [/^[\w.-]{1,249}$/, 'events'],
  [/^[A-Za-z][\w.~+%-]{2,254}$/, 'events'],
  [/^(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'acme-prod'],
  [
    /^ERR_SSL_(TLSV1|TLSV13|SSLV3)_ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA)$/,
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  ],
  [/^SU[A-Z2-7]{56}$/, `SU${'A'.repeat(56)}`],
  [/[*>\s\p{Cc}]/u, 'a b'],
  [/^[!-~]*$/, 'AKIAIOSFODNN7EXAMPLE'],
  [/\/$/, 'https://example.com/'],
  [/\.$/, 'example.com.'],
  [
    /^(?:Handshake terminated by server: |Channel closed by server: |Connection closed: |Operation failed: \w{1,40}; )(\d{3})\b/,
    'Operation failed: ExchangeDeclare; 404',
  ],
  [/with message "([^"]{1,300})/, '404 (NOT-FOUND) with message "no exchange"'],
  [/closed|ended|Socket/i, 'channel closed'],
  [
    /message size \d{1,20} is larger than (?:the )?(?:configured )?max(?:imum)? size (\d{1,20})/,
    'message size 9 is larger than configured max size 5',
  ],
  [/^openid( [\x21\x23-\x5b\x5d-\x7e]{1,100}){0,20}$/, 'openid email profile'],
  [/[\p{Cc}\p{Cs}]/gu, 'a\u0001'],
  [/[\s-]/g, '123 456'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as the product has it
  [/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/, 'a\u0001'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as the product has it
  [/[\u0000-\u001f\u007f]/, 'a\u0001'],
  [/\{(\w+)\}/, '{count} messages'],
  [/^[A-Za-z][A-Za-z0-9 -]{0,60}(?:,[A-Za-z0-9 -]{1,61}){0,9}$/, 'Inter, Segoe UI'],
  [/^--[a-z][a-z0-9_-]{0,60}$/, '--surface'],
  [/^[A-Za-z0-9#.,%() /+*-]{1,120}$/, 'rgb(0 0 0 / 50%)'],
  [/\{\{([^{}]*)\}\}/g, '{{date}}/{{eventId}}'],
  [/\{\{|\}\}/, 'a{{'],
  [/[\d.]{16}/, '9007199254740993'],
  [/[\d.]{16}|\d[eE][-+]?\d{3}/, '1e400'],
  [/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/, '-12.5e+3'],
  [/%(?:25)+/g, '%252525'],
  [/%(?:2f|5c)/gi, '%2F'],
  [/e/i, '1e3'],
  [/%2e/gi, '%2E'],
  [/%3b/gi, '%3B'],
  [/[^\x21-\x7e]|[%+]/gu, 'a+b'],
  [/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/, 'text/plain; charset=utf-8'],
  [/^\/[\w\-.~!$&'()*+,;=:@%/]{0,499}$/, '/orders/1'],
  [/transformation\.js:(\d+)(?::(\d+))?/, 'transformation.js:3:14'],
  [/^\d{1,4}[mhd]$/, '30m'],
  [/^data(?:\.[^.{}]{1,100}){1,20}$/, 'data.order.id'],
  [
    /^(InvalidParameter|InvalidParameterValue|InvalidParameterException|ValidationException|InvalidArgumentException|ValidationError|InvalidAttributeValue)$/,
    'ValidationException',
  ],
  [
    /too long|too large|shorter than|over the limit|length less than or equal|exceeds? the (maximum|limit)/i,
    'exceeds the maximum',
  ],
  [/^[!-~]{1,128}$/, 'order-1'],
  [/^[\w-]{1,256}(\.fifo)?$/, 'events.fifo'],
  [/^[\w.-]{1,128}$/, 'events'],
  [/^[\w/.:-]+$/, 'arn:aws:events:eu-west-1:1:event-bus/a'],
  [/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'acme-events'],
  [/^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/, 'us-gov-west-1'],
  [/^\/([^/]{1,64})\/([\w-]{1,80}(?:\.fifo)?)$/, '/123456789012/events.fifo'],
  [/^\d{12}$/, '123456789012'],
  [/^\d{6}$/, '123456'],
  [/^aws(-[a-z]{1,10}){0,2}$/, 'aws-us-gov'],
  [/^https?:$/, 'https:'],
  [/^http:/, 'http:'],
  [/^url\b/, 'url must'],
  [/^role\/[\w+=,.@/-]{1,576}$/, 'role/events'],
  [/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 't={timestamp},v1={signature}'],
  [/\{[^{}]*\}/g, 't={timestamp},v1={signature}'],
  [/[{}]/, 'a}'],
  [/^[\x20-\x7e]{8,256}$/, 'a plain secret'],
  [/^(?:Webhook URL|url)\b/, 'url must'],
  [/^[\x20-\x7e]*$/, 'a value'],
  [/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'hooks.write'],
  [/^[\w.:-]{1,100}$/, 'resource'],
  [/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i, 'hooks-1'],
  [/^[a-zA-Z0-9]{1,40}$/, 'tlsClientKey'],
  [/^[\x21-\x7e]{1,8192}$/, 'eyJhbGciOi.J9_-~+/=='],
  [/^[a-z0-9_]{1,64}$/, 'invalid_client'],
  [/^\s*([\d.]+)(?:\/(\d+))?\s*$/, ' 10.0.0.1/8 '],
  [/(redis|valkey) server v=(\d+)\.(\d+)([.\d]*)/i, 'redis server v=7.0.15'],
  [/^lib(lzf|jemalloc|atomic|lua|hiredis|ssl)/, 'libjemalloc'],
  [/Depends: (\S+)/g, 'Depends: libc6 '],
  [/^\d{1,9}$/, '123456789'],
  [/^\d+$/, '12'],
  [/[ ,]/, 't=1,v1=a'],
  [/(?<!\w)\d{10}(?!\w)/g, 't=1700000000,v1=a'],
  [/\p{Cc}/gu, 'a\u0001'],
  [/\r?\n$/, 'a\r\n'],
  [/[A-Z]/, 'createEndpoint'],
  [/[A-Z]/g, 'Ada@Example.com'],
  [/[^A-Za-z0-9]/, 'not_found'],
  [/[^a-z0-9_]/g, 'order paid'],
  [/[^a-z0-9]/, 'load test'],
  [/[^\x21-\x7e]/g, 'ada@höst'],
  [/\p{Cs}/u, 'a\ud800'],
  [/[\u202a-\u202e\u2066-\u2069]/g, 'a\u202e'],
  [/\p{Cs}/gu, 'a\ud800'],
  [/^0*[1-9]\d{0,11}$/, '0012'],
  [/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/, 'X-Header'],
  [/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$|^$/, 'a value'],
  [/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, 'order.created'],
  [/^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/, 'ep_01jczhk8m3fd8tqv5x0w2b9n4e'],
  [/^[^/?#]*\/\/[^/?#]*@/, 'https://user@'],
  [/^#[0-9a-fA-F]{6}$/, '#00FFcc'],
  [/^https:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/, 'https://app.example.com:8443'],
  [/^https?$/, 'http'],
  [/[\p{Cc}\p{Cs}]/u, 'a\u0001'],
  [/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800]/u, ' \u200b a'],
  [/^[\p{L}\p{M}\p{N}.-]{1,254}$/u, 'bücher.example'],
  [/^[\x21-\x7e]+$/, 'visible'],
  [/\$?\$\{([A-Z][A-Z0-9_]*)\}/g, `\${WAREHOUSE_SECRET}`],
  [/^[^A-Z]+/, '2_EU'],
  [/[^A-Z0-9]/g, 'EU-1'],
  [/^[a-z0-9]+(-[a-z0-9]+)*$/, 'my-slug-1'],
  [/^\d{1,6}$/, '100'],
  [/^([a-z0-9_-]{1,16}):(.*)$/, 'k1:c2VjcmV0'],
  [/_(\d{4})(\d{2})(\d{2})$/, 'event_20261122'],
  [
    /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Can't reach database|the time zone of the session is/i,
    'Connection terminated',
  ],
  [/^\d{1,3}$/, '32'],
  [/^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/, 'HTTP/1.1 200 OK'],
  [/^([\w!#$%&'*+.^`|~-]+)[ \t]*:([^\0]*)$/, 'X-Header \t: a value'],
  [/^[ \t]/, ' folded'],
  [/^[\da-f]{1,8}\s*$/i, '1fF \r'],
  [/^\[|\]$/g, '[::1]'],
  [/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/, 'my-host.example'],
  [/#.*/, 'a # comment'],
  [/\s+/, 'a \t b'],
  [/^(.+\.)?localhost\.?$/i, 'a.b.localhost.'],
  [/^\d{1,15}$/, '123'],
  [/^postgres(ql)?:\/\//, 'postgresql://'],
  [/^https?:\/\//i, 'https://'],
  [/^http:\/\/(localhost|127\.0\.0\.1)(:(\d{1,5}|\*))?$/, 'http://localhost:*'],
  [/^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?(\/|$)/, 'http://127.0.0.1:5173/'],
  [/[?#]/, 'a?b'],
  [/^\/?\d{0,5}$/, '/15'],
  [/^[^/]*\/\/(?:[^@/?#]*@)?([^@/?#]*)/, 'redis://ann:secret@cache'],
  [/^postgres(ql)?:\/\/[^@/?#]*@(?=\/)/, 'postgresql://ann:secret@/'],
  [/[?&]host=([^&#]+)/, '?host=/run/postgresql'],
  [/^(rediss?)(?:\+(sentinel|cluster))?:\/\//, 'rediss+sentinel://'],
  [/^(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?$/, 'ann:secret@s1:26379,s2:26379/main'],
  [/^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/, '[::1]:6379', 'cache.example:6379'],
  [/-----BEGIN CERTIFICATE-----/, '-----BEGIN CERTIFICATE-----'],
  [/^[a-z+]{1,30}:\/\/[^/@:]*:([^/@]*)@/, 'redis+cluster://ann:secret@'],
  [/^[A-Za-z0-9_{}-]{1,64}$/, 'posthorn'],
  [/^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-|$)/, TRACEPARENT],
  [/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, '0.25'],
  [/(?<!\/)\/+$/, 'https://a//'],
  [/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '::ffff:10.0.0.1'],
  [/\r?\n/, 'a\r\nb'],
  [/[\\%_]/g, '50%_\\'],
  [/^Bearer +([\x21-\x7e]+)$/i, 'Bearer  phm_a'],
  [/^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i, 'Bearer  a.b.c'],
  [/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, 'events:subscribe'],
  [/^https$/, 'https'],
  [/^https:\/\/[^\s#]+$/, 'https://example.com/keys'],
  [/^https:\/\/[^\s?#]+$/, 'https://example.com/'],
  [/^oauth:[^:]*:(.*)#[^#]*$/, 'oauth:app_a:https://example.com/#sub'],
  [/^[ \t]*([a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*)[ \t]*(;|$)/i, ' application/foo!bar+json \t;charset=utf-8'],
  [/\{\w+\}/g, '/a/{id}/b'],
  [/\{(\w+)\}/g, '/a/{id}/b'],
  [/:SSL routines:[^:]*:([^:]{1,100}):/, ':SSL routines:ssl3_get_record:wrong version number:'],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_|ERR_OSSL_)/, 'EPROTO', 'ERR_SSL_X'],
  [
    /^(ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|INVALID_(CA|PURPOSE)$|DEPTH_ZERO_|SELF_SIGNED_|PATH_LENGTH_|HOSTNAME_MISMATCH$|UNSPECIFIED$)/,
    'INVALID_PURPOSE',
    'CERT_HAS_EXPIRED',
  ],
  [/^ERR_(SSL|OSSL|TLS)_/, 'ERR_SSL_X'],
  [
    /alert certificate required|alert bad certificate|alert certificate unknown|alert unknown ca/,
    'tlsv13 alert certificate required',
  ],
  [/alert/, 'tlsv1 alert internal error'],
  [
    /handshake failure|no shared cipher|insufficient security|dh key too small|no suitable|unsupported elliptic curve/,
    'sslv3 alert handshake failure',
  ],
  [/protocol version|unsupported protocol|version too low|no protocols available/, 'tlsv1 alert protocol version'],
  [/unrecognized name/, 'tlsv1 unrecognized name'],
  [
    /wrong version number|packet length too long|http request|https proxy request|unknown protocol|record layer failure|bad record type|not ssl/,
    'wrong version number',
  ],
  [/^[A-Z]/, 'Webhook URL'],
  [/^(Invalid|Too)/, 'Invalid input'],
  [/^[aeiou]/, 'array'],
  [/^[A-Za-z0-9._:-]{1,128}$/, 'request-1'],
  [/(?<![\w-])([\w-]+)\/\{(\w+)\}/g, '/endpoints/{id}'],
  [/^(webhook-|idempotency-key$)/i, 'webhook-id'],
  [/auth|token|secret|passw|key|sign|credential|session|cookie|access/i, 'x-api-key'],
  [/^Basic ([A-Za-z0-9+/=]+)$/, 'Basic YTpi'],
  [/^\d{1,5}$/, '86400'],
  [/^\d{1,100}$/, '120'],
  [/-$/, 'acme-'],
  [/#$/, 'schema#'],
  [/^[A-Za-z_][\w.-]*$/, 'an-anchor'],
  [
    /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/,
    ...DATES,
  ],
  [/^E(HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|ACCES|PERM)$/, 'EPERM'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'EPIPE'],
  [/^[\x20-\x7e]+$/, 'text/plain; charset=utf-8'],
  [/^\d{1,12}$/, '1731000000'],
  [/^wh(sec|pk)_/, 'whsec_'],
  [/\r?\n\r?\n/, 'a\r\n\r\nb'],
  [/\s+/g, 'a \t b'],
  [/^(22|23|42)[0-9A-Z]{3}$/, '23505'],
  [/^[0-9A-Z]{5}$/, '57P01'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '019ab3c4-0000-7000-8000-000000000000'],
  [/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/, 'a.b.localhost', '127.0.0.1'],
  [/^[ \t]*--.*$/gm, '  -- a comment'],
  [/(.{8})(.{4})(.{4})(.{4})(.{12})/, '019ab3c400007000800000000000ffff'],
  [/(z|gmt|utc|[+-]\d\d:?\d\d)$/i, '2026-11-21T09:30:00+02:00'],
  [/^create (unique )?index "(\w+)" on "(\w+)" *(\(.*|using .*)$/is, 'create unique index "a" on "b" ("c")'],
];

/** The expressions that constructors make, by the file that makes them. */
const constructed: Record<string, [expression: RegExp, ...matching: string[]]> = {
  'packages/crypto/src/token.ts': [/^[a-z]{3}_[0123456789abcdefghjkmnpqrstvwxyz]{47}$/, `phm_${'0a'.repeat(23)}z`],
  // pattern.ts runs its expression on one character only. read-pattern.ts runs none: it only checks the syntax.
  'packages/json-schema/src/pattern.ts': [/^[^\p{L}\d]$/u, '-'],
  'packages/json-schema/src/read-pattern.ts': [/^(a+)$/u, 'aa'],
};

/** Something that runs on a text: an expression, or a schema of the contract with an expression of zod. */
type Expression = { readonly global: boolean; exec: (text: string) => unknown };

const ofZod: [name: string, expression: Expression, matching: string[]][] = [
  ['an email address', runs(emailAddress), ["o'neil.b+c@mail-1.example.com"]],
  ['a date-time', runs(offsetDateTime), ['2026-11-22T10:20:30.123+02:00']],
];

const SAMPLE_BYTES = 4 * 1024;
const MEBIBYTE = 1024 * 1024;
/**
 * A linear expression needs some milliseconds, or 100 ms to replace each character (300 ms on a slow machine). An
 * expression that reads 300 characters further at each character needs 500 ms.
 */
const MAX_MS = 400;
/** A pass that takes longer than this by the clock is cut off. Then its processor time decides. */
const CUT_OFF_MS = 4 * MAX_MS;

/**
 * Matches a slash that may begin an expression: the text before it does not end a value, and it begins no comment and
 * no tag. Most files have none, and need not be parsed.
 */
const MAY_HAVE_ONE =
  /RegExp|(?:[^\s\w)\]'"`.@/*<]|^|\b(?:return|typeof|case|in|of|void|await|yield|else|do))\s*\/(?![/*])[^\n]*\//m;

const written = readExpressions();

test('every regular expression of the product is listed here, and no other', () => {
  const known = [...listed.map(([expression]) => String(expression)), ...Object.keys(constructed)];
  expect([...new Set(written)].sort()).toEqual(known.sort());
});

test.each([
  ...[...listed, ...Object.values(constructed)].map(([expression, ...matching]): [string, Expression, string[]] => [
    String(expression),
    expression,
    matching,
  ]),
  ...ofZod,
])('%s takes linear time: 1 MiB of its worst input within 400 ms', (_name, expression, matching) => {
  for (const example of matching) expect(expression.exec(example)).toBeTruthy();
  expect(worstMs(expression, matching)).toBeLessThan(MAX_MS);
});

test.each([
  [/\d{300}/, '1'.repeat(300)],
  [/\/+$/, 'https://a//'],
])('the measure finds that %s is not linear', (expression, example) => {
  expect(worstMs(expression, [example])).toBeGreaterThanOrEqual(MAX_MS);
});

/**
 * Milliseconds for 1 MiB of the worst hostile text, which is chosen by a sample of each. The first text that is
 * too slow decides.
 */
function worstMs(expression: Expression, matching: readonly string[]): number {
  const texts = matching.flatMap(hostileTexts);
  const times = msOfSamples(
    expression,
    texts.map((text) => text(SAMPLE_BYTES)),
  );
  const slowest = texts
    .map((text, n) => ({ text, ms: times[n] ?? 0 }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 3);
  let worst = 0;
  for (const { text } of slowest) {
    worst = Math.max(worst, msToRun(expression, text(MEBIBYTE)));
    if (worst >= MAX_MS) break;
  }
  return worst;
}

type Hostile = (bytes: number) => string;

/**
 * Texts that repeat a part of a matching text, after the text before that part, and with an end that does not match.
 */
function hostileTexts(example: string): Hostile[] {
  const seen = new Map<string, Hostile>();
  const add = (before: string, part: string) =>
    seen.set(JSON.stringify([before, part]), (bytes) => `${before}${part.repeat(bytes / part.length)}\n\0`);
  for (let from = 0; from < Math.min(example.length, 80); from += 1) {
    for (let end = from + 1; end <= Math.min(from + 3, example.length); end += 1) {
      add('', example.slice(from, end));
      add(example.slice(0, from), example.slice(from, end));
    }
  }
  // A text that matches except for its end, repeated.
  for (const cut of [1, 2, Math.ceil(example.length / 2)]) add('', `${example.slice(0, -cut)}\n`);
  return [...seen.values()];
}

/** User and system time together: the kernel counts the sum exactly, but splits it by samples at its ticks. */
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const context = createContext({ processorMs });
const RUN = 'expression.global ? text.replaceAll(expression, "") : expression.exec(text)';
const script = new Script(RUN);
const samplesScript = new Script(
  `texts.map((text) => { const before = processorMs(); ${RUN}; return processorMs() - before; })`,
);

/**
 * Runs all texts as `msToRunOnce` would. Running them together takes a tenth of the time: a time limit starts a thread.
 */
function msOfSamples(expression: Expression, texts: readonly string[]): number[] {
  Object.assign(context, { expression, texts });
  try {
    return samplesScript.runInContext(context, { timeout: CUT_OFF_MS });
  } catch {
    return texts.map((text) => msToRunOnce(expression, text));
  }
}

/**
 * The best of up to three passes, because one may contain a garbage collection. A pass that is far too slow is enough.
 */
function msToRun(expression: Expression, text: string): number {
  let best = msToRunOnce(expression, text);
  for (let pass = 2; pass <= 3 && best >= MAX_MS && best < 4 * MAX_MS; pass += 1) {
    best = Math.min(best, msToRunOnce(expression, text));
  }
  return best;
}

/**
 * Milliseconds of processor time that one pass over the text takes, so other processes do not count. A pass that has
 * used more than MAX_MS is cut off. A pass that is cut off with less got little of a busy machine, and runs again
 * with more time.
 */
function msToRunOnce(expression: Expression, text: string): number {
  Object.assign(context, { expression, text });
  for (let cutOffMs = CUT_OFF_MS; ; cutOffMs *= 2) {
    const before = processorMs();
    try {
      script.runInContext(context, { timeout: cutOffMs });
      return processorMs() - before;
    } catch {
      const ms = processorMs() - before;
      if (ms >= MAX_MS) return ms;
    }
  }
}

function runs(schema: { safeParse: (text: string) => { success: boolean } }): Expression {
  return { global: false, exec: (text) => schema.safeParse(text).success };
}

/** Every regular expression of the product as it is written; for a constructor, the name of its file. */
function readExpressions(): string[] {
  const root = fileURLToPath(new URL('.', import.meta.url));
  // Node's recursive listing would also read the installed packages: hundreds of times as many files.
  const filesIn = (folder: string): string[] =>
    readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return /^(node_modules|dist|bundle|generated)$/.test(entry.name) ? [] : filesIn(path);
      return /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) ? [path] : [];
    });
  return ['packages', 'services', 'devstack', 'sdks/typescript/src', 'sdks/react/src']
    .flatMap(filesIn)
    .filter((path) => !/^packages\/testkit\/|^services\/[^/]+\/test\//.test(path))
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
    .filter(({ text }) => MAY_HAVE_ONE.test(text))
    .flatMap(({ path, text }) => expressionsIn(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)));
}

function expressionsIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const constructs =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === 'RegExp';
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral || constructs)
      found.push(constructs ? source.fileName : node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
