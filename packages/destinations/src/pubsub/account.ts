import { z } from 'zod';
import { isTooLong, privateKeyIn } from '../private-key.ts';

/**
 * The parts of a service account's key file that are read. Its `token_uri` is not used, because no token server is
 * asked.
 */
const account = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1).max(320),
  private_key_id: z.string().min(1).max(200),
  private_key: z.string().min(1),
});
export type ServiceAccount = z.output<typeof account>;

/** Undefined if the text is not the key file of a service account. */
export function readAccount(text: string): ServiceAccount | undefined {
  try {
    const read = account.parse(JSON.parse(text));
    return privateKeyIn(read.private_key)?.asymmetricKeyType === 'rsa' ? read : undefined;
  } catch {
    return undefined;
  }
}

export function hasTooLongKey(text: string): boolean {
  const key = privateKeyIn(readAccount(text)?.private_key ?? '');
  return key !== undefined && isTooLong(key);
}
