import { expect, test } from '@jest/globals';
import { judgeConnect, tunnelErrorCode } from './tunnel.ts';

const { proxy, refused } = tunnelErrorCode;

test.each<[number, Record<string, string>, string | undefined]>([
  [200, {}, undefined],
  [407, {}, proxy],
  [502, {}, proxy],
  [503, {}, proxy],
  [504, {}, proxy],
  [403, {}, refused],
  [400, {}, refused],
  [502, { 'proxy-status': 'egress; error=connection_refused' }, 'ECONNREFUSED'],
  [504, { 'proxy-status': 'egress; error=connection_timeout' }, 'ETIMEDOUT'],
  [502, { 'proxy-status': 'egress; error=destination_ip_unroutable' }, 'EHOSTUNREACH'],
  [502, { 'proxy-status': 'egress; error=proxy_internal_error' }, proxy],
  [503, { 'x-squid-error': 'ERR_CONNECT_FAIL 111' }, 'ECONNREFUSED'],
  [503, { 'x-squid-error': 'ERR_CANNOT_FORWARD 0' }, proxy],
  [503, { 'x-envoy-response-flags': 'UF' }, 'ECONNREFUSED'],
  [407, { 'proxy-status': 'egress; error=connection_refused' }, proxy],
])('%i with %j is the fault %s', (statusCode, headers, code) => {
  expect(judgeConnect({ statusCode, headers })?.code).toBe(code);
});
