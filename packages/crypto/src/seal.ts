import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import { createMac, type Mac } from './mac.ts';
import { decodeStrictBase64 } from './strict-base64.ts';

/**
 * A sealed value: version (1 byte) · length of the key id (1) · key id · nonce (12) · ciphertext · tag (16).
 * AES-256-GCM; the bytes before the nonce and the context are authenticated too. Random 96-bit nonces are safe for 2^32
 * values under one key (NIST SP 800-38D, 8.3): at 1,000 events a second that is 50 days. So the configured key seals no
 * value itself; a subkey derived from it and the context does. The limit is then 2^32 values for each context, and a
 * context that names a row is sealed a few times in its life. So configured keys are rotated by policy or after a leak,
 * not by volume.
 */
export function seal(keys: SealingKeys, plaintext: Uint8Array, context: string): Buffer {
  const { header, mac } = keys.sealing;
  const nonce = keys.nextNonce();
  const cipher = createCipheriv(algorithm, subkey(mac, context), nonce, { authTagLength: tagBytes });
  cipher.setAAD(authenticatedData(header, context));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

export type Opened =
  | { kind: 'opened'; plaintext: Buffer }
  /**
   * `unknown_key`: the value names a key that is not configured. `corrupt`: it was altered or cut, or has another
   * context.
   */
  | { kind: 'unreadable'; reason: 'unknown_key' | 'corrupt' };

/** Opens a value that `seal` made with any of the keys, under the same context. Never throws for any input. */
export function open(keys: SealingKeys, sealed: Uint8Array, context: string): Opened {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const nonceStart = 2 + (bytes[1] ?? 0);
  const ciphertextStart = nonceStart + nonceBytes;
  const tagStart = bytes.length - tagBytes;
  if (bytes[0] !== version || tagStart < ciphertextStart) return { kind: 'unreadable', reason: 'corrupt' };
  const sealingKey = keys.byId.get(bytes.toString('latin1', 2, nonceStart));
  if (sealingKey === undefined) return { kind: 'unreadable', reason: 'unknown_key' };

  const nonce = bytes.subarray(nonceStart, ciphertextStart);
  const decipher = createDecipheriv(algorithm, subkey(sealingKey.mac, context), nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticatedData(sealingKey.header, context));
  decipher.setAuthTag(bytes.subarray(tagStart));
  const plaintext = decipher.update(bytes.subarray(ciphertextStart, tagStart));
  try {
    decipher.final();
  } catch {
    // In GCM, final() fails only when the tag is wrong.
    return { kind: 'unreadable', reason: 'corrupt' };
  }
  return { kind: 'opened', plaintext };
}

/** Whether a value was sealed with the first key. Any other readable value can be opened and sealed again. */
export function isSealedWithFirstKey(keys: SealingKeys, sealed: Uint8Array): boolean {
  const { header } = keys.sealing;
  return header.equals(sealed.subarray(0, header.length));
}

/**
 * The first key of the setting seals, and all of them open. The key material is stored so that no log or JSON can show
 * it.
 */
export type SealingKeys = {
  readonly sealing: SealingKey;
  readonly byId: ReadonlyMap<string, SealingKey>;
  readonly nextNonce: () => Uint8Array;
};
type SealingKey = { readonly header: Buffer; readonly mac: Mac };

/**
 * Parses `id:base64[,id2:base64]`: ids of 1–16 characters of `a-z 0-9 _ -`, keys of 32 bytes in padded base64. Throws
 * an Error that names the rule and the entry's position, never its content.
 */
export function parseSealingKeys(text: string): SealingKeys {
  const [sealing, ...older] = text.split(',').map(parseEntry);
  if (sealing === undefined) throw new Error('no key is given');
  const byId = new Map<string, SealingKey>();
  for (const { id, sealingKey } of [sealing, ...older]) {
    if (byId.has(id)) throw new Error('two keys have the same id');
    byId.set(id, sealingKey);
  }
  return { sealing: sealing.sealingKey, byId, nextNonce: createNonces() };
}

/** Random nonces, drawn 256 at a time: drawn one by one they took as long as the sealing itself. */
function createNonces(): () => Uint8Array {
  const drawn = new Uint8Array(256 * nonceBytes);
  let from = drawn.length;
  return () => {
    if (from === drawn.length) {
      randomFillSync(drawn);
      from = 0;
    }
    from += nonceBytes;
    return drawn.slice(from - nonceBytes, from);
  };
}

function parseEntry(entry: string, index: number): { id: string; sealingKey: SealingKey } {
  const [, id, base64] = /^([a-z0-9_-]{1,16}):(.*)$/.exec(entry.trim()) ?? [];
  const place = `key ${index + 1}`;
  if (id === undefined || base64 === undefined) {
    throw new Error(`${place} must be written id:base64, the id 1 to 16 characters of a-z, 0-9, _ and -`);
  }
  const material = decodeStrictBase64(base64, 'base64');
  if (material?.length !== keyBytes) throw new Error(`${place} must be ${keyBytes} bytes in base64, with its padding`);
  const header = Buffer.concat([Buffer.from([version, id.length]), Buffer.from(id, 'latin1')]);
  return { id, sealingKey: { header, mac: createMac(material) } };
}

const version = 1;
const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** HKDF's expand step (RFC 5869) for one block; the configured key is uniform, so the extract step is not needed. */
function subkey(mac: Mac, context: string): Buffer {
  return mac(`posthorn seal v1\0${context}\x01`);
}

/** The header contains its own length, so no other pair of header and context gives the same bytes. */
function authenticatedData(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}
