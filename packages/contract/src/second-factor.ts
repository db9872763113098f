import { z } from 'zod';
import { CONTROL_OR_LONE_SURROGATE, id, name, timestamp } from './primitives.ts';

/** The second factors that can complete a sign-in after the right password. */
export const secondFactorMethod = z
  .enum(['authenticator', 'passkey', 'recovery_code'])
  .meta({ id: 'SecondFactorMethod', description: 'A method that completes a sign-in after the password.' });

/** An invalid code gets the same answer as a wrong one, so only its length is checked here. */
const code = z.string().min(1, 'is required').max(100, 'must be at most 100 characters');

/** The operation decodes this text, and looks an id up in Postgres, which refuses a text with U+0000. */
const base64url = z
  .string()
  .max(4_000, 'must be at most 4,000 characters')
  .refine((text) => !CONTROL_OR_LONE_SURROGATE.test(text), 'must not contain control characters or lone surrogates');

/** The answer of a browser's passkey: the part of `PublicKeyCredential.toJSON()` that is read. */
export const passkeyResponse = z
  .object({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key', 'must be public-key'),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    authenticatorAttachment: z.string().max(100, 'must be at most 100 characters').nullable().optional(),
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url.optional(),
      transports: z.array(z.string()).max(10, 'must have at most 10 items').optional(),
      authenticatorData: base64url.optional(),
      signature: base64url.optional(),
      userHandle: base64url.nullable().optional(),
    }),
  })
  .meta({ id: 'PasskeyResponse', description: 'The response of `navigator.credentials`, as JSON (WebAuthn).' });

const challenge = z.string().min(1, 'is required').max(200, 'must be at most 200 characters').meta({
  description: 'The `challenge` from the response of `POST /api/auth/login`.',
});

export const finishLoginBody = z
  .object({
    challenge,
    code: code.optional().meta({
      description: 'The current code of the authenticator app, or a recovery code. Spaces and hyphens are ignored.',
    }),
    passkey: passkeyResponse.optional().meta({ description: 'The response of a passkey, in place of a code.' }),
  })
  .refine((body) => (body.code === undefined) !== (body.passkey === undefined), {
    message: 'code or passkey is required, and not both',
    path: ['code'],
  });

export const passkeyLoginBody = z.object({ challenge });

/** Options that the browser's library takes unchanged. */
export const passkeyOptions = z.object({
  options: z.record(z.string(), z.unknown()).meta({
    description: 'The `publicKey` options for `navigator.credentials`, as JSON (WebAuthn).',
  }),
});

const passkey = z
  .object({
    id: id('psk'),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey', description: 'A passkey that completes a login.' });

export const addPasskeyBody = z.object({ name, passkey: passkeyResponse });

/** The confirmation for a change of the sign-in methods. It is not needed soon after a sign-in. */
export const confirmedBody = z.object({
  currentPassword: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters').optional().meta({
    description: 'The password of the account. Not required within 10 minutes of signing in.',
  }),
});

export const secondFactor = z
  .object({
    authenticator: z
      .object({ createdAt: timestamp })
      .nullable()
      .meta({ description: 'The authenticator app. Null if there is none.' }),
    passkeys: z.array(passkey).meta({ description: 'The passkeys, in the order in which they were set up.' }),
    recoveryCodesLeft: z.int().meta({ description: 'The number of unused recovery codes.' }),
    requiredBy: z.array(z.string()).meta({ description: 'The names of your workspaces that require a second factor.' }),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of the logged-in user.' });

export const authenticatorSetup = z
  .object({
    secret: z
      .string()
      .meta({ description: 'The secret in base32, for typing it into the app. It is shown only once.' }),
    uri: z.string().meta({ description: 'The secret as an `otpauth://` URI, for a QR code.' }),
    expiresAt: timestamp.meta({
      description: 'When the setup expires. The app must be confirmed with a code before then.',
    }),
  })
  .meta({ id: 'AuthenticatorSetup', description: 'The data that an authenticator app needs to generate codes.' });

export const confirmAuthenticatorBody = z.object({
  code: code.meta({ description: 'The current code of the authenticator app.' }),
});

const recoveryCodes = z.array(z.string());

export const confirmedSecondFactor = z.object({
  recoveryCodes: recoveryCodes.nullable().meta({
    description: 'Ten recovery codes, shown only once. Null if the account already has recovery codes.',
  }),
});

export const addedPasskey = confirmedSecondFactor.extend({ passkey });

export const newRecoveryCodes = z.object({
  recoveryCodes: recoveryCodes.meta({ description: 'Ten recovery codes, shown only once.' }),
});
