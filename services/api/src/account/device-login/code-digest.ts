import { digestToken } from '@posthorn/crypto/token';

/** What is stored instead of a code. */
export const codeDigest = (code: string) => digestToken(`device login ${code}`);
