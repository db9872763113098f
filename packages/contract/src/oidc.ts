import { z } from 'zod';
import { sessionAnswer } from './accounts.ts';
import { CONTROL_OR_LONE_SURROGATE } from './primitives.ts';
import { confirmedBody } from './second-factor.ts';

// Sign-in with an identity provider: docs/interface.md, Sign-in provider.

const url = z.string().meta({ description: "The URL of the provider's page." });

export const startOidcBody = z.object({
  returnTo: z
    .string()
    .max(2_000, 'must be at most 2,000 characters')
    .refine((path) => !CONTROL_OR_LONE_SURROGATE.test(path), 'must not contain control characters or lone surrogates')
    .default('/')
    .meta({ description: 'The path of the page to return to. It is returned unchanged when the sign-in finishes.' }),
});

export const connectOidcBody = startOidcBody.extend(confirmedBody.shape);

export const startedOidc = z.object({ url });

export const finishOidcBody = z.object({
  query: z
    .string()
    .min(1, 'is required')
    .max(8_000, 'must be at most 8,000 characters')
    .meta({ description: 'The query of the page to which the provider redirected the browser: `?code=…&state=…`.' }),
});

export const finishedOidc = z.object({
  ...sessionAnswer.shape,
  returnTo: z.string(),
  openInvitations: z.int().meta({
    description:
      'The number of open invitations of your addresses, at most 100. List them with `GET /api/auth/invitations`.',
  }),
});

export const loggedOutOidc = z.object({
  url: url
    .nullable()
    .meta({ description: 'The URL at which the session at the provider can be ended. Null if the provider has none.' }),
});

export const signInLinkBody = z.object({
  token: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
});

export const signedInByLink = z.object(sessionAnswer.shape);
