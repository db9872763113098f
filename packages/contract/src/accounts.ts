import { parseUrl } from '@posthorn/runtime/parse-url';
import { z } from 'zod';
import { role } from './access.ts';
import { LIMITS } from './limits.ts';
import { id, timestamp } from './primitives.ts';
import { secondFactorMethod } from './second-factor.ts';
import { workspace } from './workspaces.ts';

/**
 * The stored form of an email address, so that one person has only one: lower case, with the domain in ASCII (`xn--…`).
 */
export function canonicalEmail(address: string): string {
  // Only ASCII letters: lower case makes a `k` of the Kelvin sign, and so the address of somebody else.
  const lower = address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const domain = lower.slice(lower.lastIndexOf('@') + 1);
  // For any other text, the URL might have more than a host.
  const url = INTERNATIONAL_DOMAIN.test(domain) ? parseUrl(`https://${domain}`) : undefined;
  return url === undefined ? lower : lower.slice(0, -domain.length) + url.hostname;
}

const INTERNATIONAL_DOMAIN = /^[\p{L}\p{M}\p{N}.-]{1,254}$/u;
const ASCII_ADDRESS = z.email();

export const emailAddress = z
  .string()
  .max(LIMITS.emailCharacters, `must be at most ${LIMITS.emailCharacters} characters`)
  .overwrite(canonicalEmail)
  .refine((address) => ASCII_ADDRESS.safeParse(address).success, {
    message: 'must be an email address',
    params: { rule: 'email' },
  })
  .meta({ format: 'email' });

/** A new password: bounded, and text with only one encoding. */
export const newPassword = z
  .string()
  .refine((value) => !/\p{Cs}/u.test(value), 'must not contain lone surrogates')
  .refine(
    (value) => value.length >= LIMITS.passwordLeastCharacters && value.length <= LIMITS.passwordMostCharacters,
    `must be ${LIMITS.passwordLeastCharacters} to ${LIMITS.passwordMostCharacters} characters`,
  );

const user = z
  .object({ id: id('usr'), email: z.string(), name: z.string(), createdAt: timestamp })
  .meta({ id: 'User', description: 'A person who can log in to the dashboard.' });

/** An invalid password gets the same answer as a wrong one, so only its length is checked here. */
export const loginBody = z.object({
  email: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters'),
  password: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters'),
});

/** A new session. */
export const sessionAnswer = z.object({
  token: z.string().meta({ description: 'A session token, `phs_…`. It is shown only once.' }),
  expiresAt: timestamp.meta({
    description: 'When the session ends: 12 hours after its last use, and at most 7 days after the login.',
  }),
  user,
});

/** A new session, or a challenge that a second factor must complete. */
export const loginAnswer = z.object({
  token: sessionAnswer.shape.token.optional().meta({
    description: 'A session token, `phs_…`. It is shown only once. Absent if a second factor is required.',
  }),
  user: user.optional(),
  challenge: z.string().optional().meta({
    description:
      'The challenge to complete with `POST /api/auth/login/second-factor`. Present if a second factor is required.',
  }),
  methods: z.array(secondFactorMethod).optional().meta({ description: 'The methods that can complete the challenge.' }),
  expiresAt: timestamp.meta({
    description: 'When the session ends, unless it is used again, or when the challenge ends.',
  }),
});

const sendsMail = z
  .boolean()
  .meta({ description: 'Whether this installation sends email. If not, links must be passed on by hand.' });

const passwordLogin = z.boolean().meta({ description: 'Whether people can sign in with a password.' });

/** The ways to sign in that the sign-in page offers. */
export const signInAnswer = z
  .object({
    sendsMail,
    passwordLogin,
    provider: z.string().nullable().meta({ description: 'The name of the sign-in provider. Null if there is none.' }),
  })
  .meta({ id: 'SignIn', description: 'The sign-in options of this installation.' });

/** Accepts any text, as a login does: the answer must not say whether it is an address. */
export const forgotPasswordBody = z.object({ email: loginBody.shape.email });

export const meAnswer = z.object({
  user,
  expiresAt: timestamp,
  queueBoardUrl: z
    .string()
    .nullable()
    .meta({ description: "The URL of the operator's queue board. Null if it is not set." }),
  sendsMail,
  passwordLogin,
  isAddressProven: z.boolean().meta({
    description: 'Whether your address is verified, by a link in an email or by the sign-in provider.',
  }),
  provider: z
    .object({
      name: z.string(),
      isConnected: z.boolean().meta({ description: 'Whether your account is connected to a user of the provider.' }),
    })
    .nullable()
    .meta({ description: 'The sign-in provider. Null if there is none.' }),
});

/** An invitation to an address that the caller has proved to own. */
export const ownInvitation = z
  .object({
    id: id('usr').meta({ description: 'The id of the invitation, which the workspace also uses.' }),
    workspaceName: z.string(),
    email: z
      .string()
      .meta({ description: 'The invited address: your own, or one that the provider has verified for you.' }),
    role,
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'OwnInvitation', description: 'An invitation that you have not accepted or declined yet.' });

export const setPasswordBody = z.object({
  token: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
  password: newPassword,
});

export const changePasswordBody = z.object({
  currentPassword: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters'),
  newPassword,
});

export const session = z
  .object({
    id: id('ses'),
    isCurrent: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    kind: z.enum(['browser', 'device']).meta({ description: 'The kind of session. `device` is a command line.' }),
    name: z.string().nullable().meta({ description: 'The name that the device gave for itself. Null for a browser.' }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({
      description:
        'When the session ends. Browser: 12 hours after its last use, and at most 7 days after the login. Device: 30 days after the login.',
    }),
  })
  .meta({ id: 'Session', description: 'An active login session.' });

/** A workspace as one of its members sees it. */
export const ownWorkspace = workspace
  .extend({ role })
  .meta({ id: 'OwnWorkspace', description: "A workspace, with the caller's role in it." });
