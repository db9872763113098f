import { z } from 'zod';
import { sessionAnswer } from './accounts.ts';
import { name, timestamp } from './primitives.ts';

// The login of a command line by RFC 8628: docs/interface.md, Device logins.

/** The letters of a user code: no vowels, so that no words arise, and no letter that looks like a digit. */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** A typed user code in capitals, without hyphens and spaces. */
function plainUserCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '');
}

/** Makes a user code from 8 random bytes, in its displayed form with a hyphen. It has 34 bits of randomness. */
export function userCodeOf(random: Uint8Array): string {
  const letters = [...random.subarray(0, 8)].map((byte) => USER_CODE_LETTERS.charAt(byte % USER_CODE_LETTERS.length));
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

export const startDeviceLoginBody = z.object({
  name: name.meta({
    description: 'The name by which the person recognises the device, such as the name of the machine.',
  }),
});

export const startedDeviceLogin = z.object({
  deviceCode: z.string().meta({ description: 'The code with which the device polls. It is shown only once.' }),
  userCode: z.string().meta({ description: 'The code that the person compares, such as `BCDF-GHJK`.' }),
  verificationUrl: z.string().meta({ description: 'The URL of the page on which the person confirms.' }),
  verificationUrlComplete: z.string().meta({ description: 'The URL of the same page, with the code filled in.' }),
  expiresAt: timestamp,
  intervalSeconds: z.int().meta({ description: 'The minimum number of seconds between two polls.' }),
});

export const pollDeviceLoginBody = z.object({
  deviceCode: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
});

export const polledDeviceLogin = z.object({
  status: z.enum(['pending', 'slow_down', 'approved', 'refused', 'expired']).meta({
    description:
      'The status of the login. `slow_down` means `pending`, but the device polls too fast. `expired` is also returned for a used or unknown code.',
  }),
  intervalSeconds: z.int().meta({ description: 'The minimum number of seconds until the next poll.' }),
  session: z
    .object(sessionAnswer.shape)
    .nullable()
    .meta({ description: 'The session of the device. It is shown only once. Null unless the status is `approved`.' }),
});

export const deviceCodeBody = z.object({
  userCode: z
    .string()
    .max(40, 'must be at most 40 characters')
    .overwrite(plainUserCode)
    .meta({ description: 'The user code. Case, spaces and the hyphen are ignored.' }),
});

export const deviceLogin = z
  .object({
    name: z.string(),
    address: z.string().meta({ description: 'The network address of the device.' }),
    isOwnNetwork: z.boolean().meta({ description: 'Whether your request comes from the same network.' }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'DeviceLogin', description: 'A device that is waiting to be logged in.' });
