import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';
import { systemClock } from '@posthorn/runtime/clock';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** The subjects that a user may publish and subscribe to. */
export type NatsPermissions = { publish: string[]; subscribe: string[] };

/** A user who signs in with the seed of a key pair. The server knows the public key. */
export function newNatsKey(): { seed: string; publicKey: string } {
  const key = nkeys.createUser();
  return { seed: textOf(key.getSeed()), publicKey: key.getPublicKey() };
}

/**
 * An operator with one account, as lines of a server's configuration, and users of the account as texts of .creds
 * files.
 */
export function newNatsOperator(allowed: NatsPermissions) {
  const [operator, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const accounts = [account, system].map((one) => {
    const own = one === account ? storage : {};
    return [one.getPublicKey(), sign(operator, one, { type: 'account', limits: { ...limits, ...own } })];
  });
  const userOf = (issuer: KeyPair, permissions: object) => {
    const user = nkeys.createUser();
    const token = sign(issuer, user, { type: 'user', subs: -1, data: -1, payload: -1, ...permissions });
    return credsOf(token, textOf(user.getSeed()));
  };
  return {
    lines: [
      `operator: ${sign(operator, operator, { type: 'operator' })}`,
      'resolver: MEMORY',
      `resolver_preload: ${JSON.stringify(Object.fromEntries(accounts))}`,
      `system_account: ${system.getPublicKey()}`,
    ],
    admin: userOf(account, {}),
    events: userOf(account, { pub: { allow: allowed.publish }, sub: { allow: allowed.subscribe } }),
    /** A user of an account that the server does not know. */
    stranger: userOf(nkeys.createAccount(), {}),
  };
}

function sign(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(systemClock.now().getTime() / 1_000);
  const claims = { jti: randomUUID(), iat, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name: 'test' };
  const text = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, nats: { ...nats, version: 2 } },
  ]
    .map(encode)
    .join('.');
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

function credsOf(token: string, seed: string): string {
  return [
    ...['-----BEGIN NATS USER JWT-----', token, '------END NATS USER JWT------', ''],
    ...['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
  ].join('\n');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
