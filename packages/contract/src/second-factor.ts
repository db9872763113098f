import { z } from 'zod';
import { timestamp } from './primitives.ts';

/** What finishes a sign-in whose password was right. */
export const secondFactorMethod = z
  .enum(['authenticator', 'recovery_code'])
  .meta({ id: 'SecondFactorMethod', description: 'A way to finish a sign-in after the password.' });

/** An invalid code has the same answer as a wrong one, so it is only bounded here. */
const code = z.string().min(1, 'is required').max(100, 'must be at most 100 characters');

export const finishLoginBody = z.object({
  challenge: z.string().min(1, 'is required').max(200, 'must be at most 200 characters').meta({
    description: 'From the answer of `POST /api/auth/login`.',
  }),
  code: code.meta({
    description: 'The present code of the authenticator app, or a recovery code. Spaces and hyphens do not matter.',
  }),
});

/** Who changes a second factor confirms it, unless the sign-in is recent. */
export const confirmedBody = z.object({
  currentPassword: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters').optional().meta({
    description: 'The password of the account. Not needed within 10 minutes of the sign-in.',
  }),
});

export const secondFactor = z
  .object({
    authenticator: z
      .object({ createdAt: timestamp })
      .nullable()
      .meta({ description: 'The authenticator app; null without one.' }),
    recoveryCodesLeft: z.int().meta({ description: 'The recovery codes that were not used yet.' }),
    requiredBy: z
      .array(z.string())
      .meta({ description: 'The names of your workspaces that require a second factor of their members.' }),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of the logged-in user.' });

export const authenticatorSetup = z
  .object({
    secret: z.string().meta({ description: 'The secret in base32, to be typed into the app; shown once.' }),
    uri: z.string().meta({ description: 'The same as an `otpauth://` URI, for a QR code.' }),
    expiresAt: timestamp.meta({ description: 'Until then the app must be confirmed with a code.' }),
  })
  .meta({ id: 'AuthenticatorSetup', description: 'What an authenticator app needs to make codes.' });

export const confirmAuthenticatorBody = z.object({
  code: code.meta({ description: 'The present code of the app.' }),
});

const recoveryCodes = z.array(z.string());

export const confirmedSecondFactor = z.object({
  recoveryCodes: recoveryCodes.nullable().meta({
    description: 'Ten recovery codes, shown once. Null when the account has recovery codes already.',
  }),
});

export const newRecoveryCodes = z.object({
  recoveryCodes: recoveryCodes.meta({ description: 'Ten recovery codes, shown once.' }),
});
