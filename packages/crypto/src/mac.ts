import { hash } from 'node:crypto';

/**
 * Makes the HMAC-SHA-256 of a text. It is a function, so no log and no JSON shows its secret. The next call of any of them overwrites
 * the result: use it at once.
 */
export type Mac = (text: string) => Buffer;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * The secret has at most 64 bytes. The HMAC is made of two hashes, as RFC 2104 defines it, and their digests are texts: an object of
 * `createHmac` and a buffer for each value take more than twice the time.
 */
export function createMac(secret: Uint8Array): Mac {
  if (secret.length > BLOCK_BYTES) throw new Error('a secret of more than 64 bytes');
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (const [at, byte] of secret.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    const most = BLOCK_BYTES + MOST_BYTES_OF_A_UNIT * text.length;
    const message = most <= scratch.length ? scratch : Buffer.alloc(most);
    message.set(inner);
    const end = BLOCK_BYTES + message.write(text, BLOCK_BYTES);
    outer.write(hash('sha256', message.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    digest.write(hash('sha256', outer, 'binary'), 'binary');
    return digest;
  };
}

/** Of UTF-8, for each unit of a text. */
const MOST_BYTES_OF_A_UNIT = 3;
/** Room for most texts. Not from the pool of buffers: its beginning is as secret as a key. */
const scratch = Buffer.alloc(2_048);
const digest = Buffer.alloc(DIGEST_BYTES);
