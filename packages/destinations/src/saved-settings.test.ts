import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { eventbridge } from './eventbridge/describe.ts';
import { kafka } from './kafka/describe.ts';
import type { Description } from './kind.ts';
import { kinesis } from './kinesis/describe.ts';
import { nats } from './nats/describe.ts';
import { natsMessageOf } from './nats/message.ts';
import { TOO_LONG } from './private-key.ts';
import { pubsub } from './pubsub/describe.ts';
import { rabbitmq } from './rabbitmq/describe.ts';
import { s3 } from './s3/describe.ts';
import { sqs } from './sqs/describe.ts';
import { requestTo } from './testing.ts';
import { webhook } from './webhook/describe.ts';

const host = 'broker.example.com';
const region = 'eu-central-1';
const servers = [host];

const fault = ({ section, faultOf }: Description, given: object) => faultOf?.(section?.schema.parse(given));

test.each<[Description, object, string]>([
  [nats, { servers, subject: 'events.*' }, 'subject'],
  [nats, { servers, subject: 'events {{eventType}}' }, 'subject'],
  [nats, { servers, subject: 'events..{{eventType}}' }, 'subject'],
  [nats, { servers, subject: '$JS.API.{{eventType}}' }, 'subject'],
  [nats, { servers, subject: 'a'.repeat(256) }, 'subject'],
  [rabbitmq, { host, vhost: '€'.repeat(100) }, 'vhost'],
  [rabbitmq, { host, exchange: '€'.repeat(100) }, 'exchange'],
  [rabbitmq, { host, routingKey: 'a'.repeat(256) }, 'routingKey'],
  [s3, { bucket: 'acme', region, key: '../{{eventId}}' }, 'key'],
  [s3, { bucket: 'acme', region, key: 'a\n{{eventId}}' }, 'key'],
  [kinesis, { streamName: 'a', region, partitionKey: 'a'.repeat(257) }, 'partitionKey'],
  [eventbridge, { eventBusName: 'a', region, detailType: 'a'.repeat(129) }, 'detailType'],
])('$type: what no message could have is refused when it is saved: %j', (kind, given, field) => {
  expect(fault(kind, given)).toEqual({ field, message: expect.stringMatching(/^(has|is) /) });
});

test.each<[Description, object]>([
  [nats, { servers }],
  [nats, { servers, subject: 'events.{{eventType}}.{{data.customer.id}}' }],
  [rabbitmq, { host }],
  [s3, { bucket: 'acme', region }],
  [kinesis, { streamName: 'a', region }],
  [eventbridge, { eventBusName: 'a', region }],
])('$type: a template that messages can have is accepted: %j', (kind, given) => {
  expect(fault(kind, given)).toBeUndefined();
});

test.each<[Description, object]>([
  [sqs, { accessKeyId: 'AKIA\n', secretAccessKey: 'a' }],
  [sqs, { accessKeyId: 'AKIA', secretAccessKey: 'a b' }],
  [sqs, { accessKeyId: 'AKIA', secretAccessKey: 'a', sessionToken: 'a\n' }],
  [rabbitmq, { username: 'a\u0000b', password: 'a' }],
  [rabbitmq, { username: 'a', password: 'a\n' }],
  [kafka, { username: 'a\u0000b', password: 'a' }],
  [nats, { token: 'a\n' }],
])('$type: a credential with a line break or the like is refused: %j', ({ credentials }, given) => {
  const [issue] = credentials?.safeParse(given).error?.issues ?? [];
  expect(issue?.message).toMatch(/^must (not have control characters|be printable ASCII without spaces)$/);
});

test('an RSA key that takes long to sign with is refused when it is saved', async () => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 4_160 });
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const { issue } = await makeOwnAuthority();
  const { cert, key: short } = await issue();
  const now = systemClock.now();
  const tls = (tlsClientKey: string) =>
    webhook.checkCredentials?.({ tls: { clientCertificate: cert } }, { tlsClientKey }, now);
  expect(tls(key)).toEqual({ field: 'credentials.tlsClientKey', message: TOO_LONG });
  expect(tls(short)).toBeUndefined();
  const oauth2 = { tokenUrl: `https://${host}/token`, clientId: 'a', authMethod: 'private_key_jwt' as const };
  const assertion = webhook.checkCredentials?.({ oauth2 }, { oauth2PrivateKey: key }, now);
  expect(assertion).toMatchObject({ field: 'credentials.oauth2PrivateKey' });
  const destination = { brokers: [host], topic: 'events' };
  const client = kafka.checkCredentials?.({ destination }, { clientCertificate: cert, clientKey: key });
  expect(client).toEqual({ field: 'credentials.clientKey', message: TOO_LONG });
  const account = { type: 'service_account', client_email: 'a@example.com', private_key_id: 'a', private_key: key };
  const given = { serviceAccountJson: JSON.stringify(account) };
  expect(pubsub.credentials?.safeParse(given).error?.issues).toMatchObject([{ message: TOO_LONG }]);
});

test('a credential that the endpoint does not use is refused when it is saved', () => {
  const now = systemClock.now();
  const oauth2 = { tokenUrl: `https://${host}/token`, clientId: 'a' };
  const both = { oauth2ClientSecret: 'a', oauth2PrivateKey: 'a' };
  const fieldOf = (authMethod: 'basic' | 'post' | 'private_key_jwt' | undefined) =>
    webhook.checkCredentials?.({ oauth2: { ...oauth2, authMethod } }, both, now)?.field;
  expect([undefined, 'basic' as const, 'post' as const].map(fieldOf)).toEqual(
    Array(3).fill('credentials.oauth2PrivateKey'),
  );
  expect(fieldOf('private_key_jwt')).toBe('credentials.oauth2ClientSecret');
  const destination = { brokers: [host], topic: 'events' };
  const user = { username: 'a', password: 'a' };
  expect(kafka.checkCredentials({ destination }, user)?.field).toBe('credentials.username');
  expect(kafka.checkCredentials({ destination: { ...destination, saslMechanism: 'plain' } }, user)).toBeUndefined();
  const client = { clientCertificate: 'a', clientKey: 'a' };
  expect(kafka.checkCredentials({ destination: { ...destination, tls: false } }, client)).toEqual({
    field: 'credentials.clientCertificate',
    message: 'is not used, because tls is false',
  });
});

test('a test message without a type has one in templates, so that its subject is not empty', () => {
  const request = requestTo(nats, { settings: {} });
  const message = { ...request.message, eventType: null };
  const subjectOf = (isTest: boolean) =>
    natsMessageOf(
      { servers, subject: 'events.{{eventType}}', tls: true },
      { ...request, message: { ...message, isTest } },
    );
  expect(subjectOf(true)).toMatchObject({ subject: 'events.posthorn.test' });
  expect(subjectOf(false)).toMatchObject({ errorCode: 'invalid_target' });
});

test.each(['rabbitmq.example.com', '10.0.0.1', '2001:db8::1', '::1'])('rabbitmq takes the host %s', (host) => {
  expect(rabbitmq.servers({ host }).map(({ url }) => new URL(url).hostname)).toEqual([
    host.includes(':') ? `[${host}]` : host,
  ]);
});

test.each(['[::1]', 'fe80::1%eth0', '::g', 'a:5671', 'https://a', 'a/b', ''])(
  'rabbitmq refuses the host %j',
  (host) => {
    const { error } = rabbitmq.section.schema.safeParse({ host });
    expect(error?.issues[0]?.path).toEqual(['host']);
  },
);
