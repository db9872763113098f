import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export type SoftPasskey = ReturnType<typeof newSoftPasskey>;

type Options = { challenge?: string; rp?: { id?: string }; rpId?: string };

/** A passkey in software (ES256), which does what a browser and a security key do with the options of the API. */
export function newSoftPasskey(origin = 'http://localhost:3000') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;
  const clientData = (type: string, options: Options, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin: at, crossOrigin: false }));
  const authenticatorData = (host: string, flags: number, rest: Uint8Array = new Uint8Array()) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags]), count, rest]);
  };
  const shared = { id: text(id), rawId: text(id), type: 'public-key' as const, clientExtensionResults: {} };
  return {
    /** Sets the number of signatures back, as in a copy of the passkey. */
    rewind: (to: number) => {
      counter = to;
    },
    create(options: Options) {
      const key = new Map<number, number | Uint8Array>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const authData = new Uint8Array(
        authenticatorData(options.rp?.id ?? '', USER_PRESENT | HAS_CREDENTIAL, credential),
      );
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      const clientDataJSON = text(clientData('webauthn.create', options, origin));
      return {
        ...shared,
        response: { clientDataJSON, attestationObject: text(attestation), transports: ['internal'] },
      };
    },
    sign(options: Options, at = origin) {
      counter += 1;
      const data = authenticatorData(options.rpId ?? '', USER_PRESENT);
      const client = clientData('webauthn.get', options, at);
      const hash = createHash('sha256').update(client).digest();
      const signature = sign('sha256', Buffer.concat([data, hash]), privateKey);
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) };
      return { ...shared, response };
    },
  };
}

const USER_PRESENT = 0x01;
const HAS_CREDENTIAL = 0x40;

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
