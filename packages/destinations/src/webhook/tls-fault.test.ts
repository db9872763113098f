import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { connect, createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { tlsFaultOf } from './tls-fault.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The client's error in a handshake with this server. */
async function errorOf(server: Server): Promise<Error> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername: 'hooks.receiver.test', rejectUnauthorized: false });
  try {
    const error = await new Promise<Error>((resolve, reject) => {
      socket.once('error', resolve);
      socket.once('close', () => reject(new Error('the handshake did not fail')));
      socket.resume();
    });
    return error;
  } finally {
    socket.destroy();
  }
}

async function tlsServer(options: TlsOptions): Promise<Server> {
  const { key, cert } = await receiverCertificate('good');
  return createTlsServer({ key, cert, ...options }, (socket) => socket.on('error', () => socket.destroy())).on(
    'tlsClientError',
    () => undefined,
  );
}

function plainServer(text: string): Server {
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(text);
  });
}

describe('a handshake that fails says in words what happened', () => {
  test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH_9.6\r\n', '220 mail.receiver.test ESMTP\r\n'])(
    'a server without TLS: %j',
    async (text) => {
      expect(tlsFaultOf(await errorOf(plainServer(text)))?.said).toMatch(/most often it speaks plain HTTP$/);
    },
  );

  test('a server of an old version of TLS', async () => {
    const old = await tlsServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(tlsFaultOf(await errorOf(old))?.advice).toBe('Let the server offer TLS 1.2 or TLS 1.3.');
  });

  test('a server without a certificate', async () => {
    const bare = createTlsServer({}).on('tlsClientError', () => undefined);
    expect(tlsFaultOf(await errorOf(bare))?.said).toContain('no certificate for the host name');
  });

  test('a server that asks for a certificate of the client', async () => {
    const asking = await tlsServer({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.3' });
    // The client may also have offered a certificate that the server does not accept.
    expect(tlsFaultOf(await errorOf(asking))).toEqual({
      said: 'The server asks for a certificate of the client, and got none that it accepts',
      advice: expect.stringContaining('Give the endpoint a client certificate that the server trusts'),
    });
  });
});

test.each([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'UNSPECIFIED',
  'EPROTO',
  'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
  'ERR_SSL_SOMETHING_NEW',
])('%s is told without a code', (code) => {
  const { said, advice } = tlsFaultOf(code) ?? {};
  for (const text of [said, advice]) {
    expect(text).toMatch(/^[A-Z][a-z]+ [\x20-\x7e]+$/);
    expect(text).not.toMatch(/[A-Z]{2,}_|EPROTO|ssl|alert/);
  }
});

test.each(['ECONNRESET', 'HPE_INVALID_CONSTANT', 'EMFILE', ''])('%j is not a TLS fault', (code) => {
  expect(tlsFaultOf({ code })).toBeUndefined();
});
