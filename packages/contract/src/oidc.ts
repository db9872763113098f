import { z } from 'zod';
import { sessionAnswer } from './accounts.ts';
import { CONTROL_OR_LONE_SURROGATE } from './primitives.ts';
import { confirmedBody } from './second-factor.ts';

// Sign-in with an identity provider: docs/interface.md, Sign-in provider.

const url = z.string().meta({ description: "The address of the provider's page." });

export const startOidcBody = z.object({
  returnTo: z
    .string()
    .max(2_000, 'must be at most 2,000 characters')
    .refine((path) => !CONTROL_OR_LONE_SURROGATE.test(path), 'must not contain control characters or lone surrogates')
    .default('/')
    .meta({ description: 'The page to return to, as a path; answered at the end as it was given.' }),
});

export const connectOidcBody = startOidcBody.extend(confirmedBody.shape);

export const startedOidc = z.object({ url });

export const finishOidcBody = z.object({
  query: z
    .string()
    .min(1, 'is required')
    .max(8_000, 'must be at most 8,000 characters')
    .meta({ description: 'The query of the page to which the provider has sent the browser: `?code=…&state=…`.' }),
});

export const finishedOidc = z.object({
  ...sessionAnswer.shape,
  returnTo: z.string(),
  openInvitations: z.int().meta({
    description: 'The invitations of your addresses that wait for an answer, at most 100: `GET /api/auth/invitations`.',
  }),
});

export const loggedOutOidc = z.object({
  url: url
    .nullable()
    .meta({ description: 'Where the provider’s own session is ended; null when it offers no such page.' }),
});

export const signInLinkBody = z.object({
  token: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
});

export const signedInByLink = z.object(sessionAnswer.shape);
