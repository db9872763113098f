import { digestToken } from '@posthorn/crypto/token';

/** The digest of a device login's code. Only the digest is stored. */
export const codeDigest = (code: string) => digestToken(`device login ${code}`);
