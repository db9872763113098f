import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Posthorn, type PosthornOptions } from '@posthorn/client';
import { sign, verify } from '@posthorn/client/webhooks';
import { startConformanceServer } from './conformance-server.ts';
import { type Call, describeError, makeCall, type Outcome, type Payload, payloadOf } from './typescript-caller.ts';

// Checks over real sockets that the TypeScript library does what sdks/conformance says. Its README says how
// a case runs.

type Begun = { client: PosthornOptions; environment: Record<string, string>; call: Call | null };

const server = await startConformanceServer();
const cases = await server.get<{ id: string; name: string }[]>('/cases');
afterAll(() => server.stop());

test.each(cases.map(({ id, name }) => [id, name]))('%s: %s', async (id) => {
  const begun = await server.post<Begun>(`/cases/${id}/begin`);
  const { faults } = await server.post<{ faults: string[] }>(`/cases/${id}/end`, await run(begun));
  expect(faults).toEqual([]);
});

async function run({ client, environment, call }: Begun): Promise<Outcome> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const posthorn = new Posthorn(client);
    return call === null ? { result: null } : await makeCall(posthorn, call);
  } catch (error) {
    return { error: describeError(error as Error) };
  } finally {
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

type Vector = {
  name: string;
  payload: Payload;
  headers: Record<string, string | string[]>;
  secrets: string[];
  now: number;
  toleranceSeconds?: number;
  expect: { id: string; timestamp: number } | { reason: string };
};
type SignVector = { name: string; payload: Payload; secret: string; id: string; timestamp: number; headers: unknown };

const { cases: vectors, signs } = JSON.parse(
  readFileSync(new URL('../../sdks/conformance/signature.json', import.meta.url), 'utf8'),
) as { cases: Vector[]; signs: SignVector[] };

describe('signature', () => {
  test.each(vectors.map((one) => [one.name, one] as const))('%s', async (_name, vector) => {
    const { payload, headers, secrets, now, toleranceSeconds } = vector;
    const verified = verify(payloadOf(payload) as string | Uint8Array, headers, secrets, {
      now: new Date(now * 1_000),
      toleranceSeconds,
    });
    if ('reason' in vector.expect) {
      await expect(verified).rejects.toMatchObject({ name: 'WebhookVerificationError', ...vector.expect });
    } else {
      const { id, timestamp, payload: bytes } = await verified;
      expect({ id, timestamp: timestamp.getTime() / 1_000 }).toEqual(vector.expect);
      expect(Buffer.from(bytes)).toEqual(Buffer.from(payloadOf(payload) as string));
    }
  });

  test.each(signs.map((one) => [one.name, one] as const))('%s', async (_name, vector) => {
    const { payload, secret, id, timestamp, headers } = vector;
    const signed = sign(payloadOf(payload) as string, secret, { id, timestamp: new Date(timestamp * 1_000) });
    await expect(signed).resolves.toEqual(headers);
  });
});
