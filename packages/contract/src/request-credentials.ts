import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { arrayOf, recordOf, text } from './primitives.ts';

// `config.oauth2` and `config.tls` of a webhook. Secrets and private keys are in `credentials`. When they are saved, it
// is checked whether a certificate and a key can be used.

const printable = (most: number) =>
  z
    .string()
    .min(1, 'is required')
    .max(most, `must be at most ${most.toLocaleString('en')} characters`)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

/** RFC 6749, section 3.3. */
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without a space, " and \\');

/** Parameters that Posthorn sets itself. */
const OWN_PARAMS = 'grant_type scope audience client_id client_secret client_assertion client_assertion_type'.split(
  ' ',
);

const extraParams = recordOf(
  z.string().regex(/^[\w.:-]{1,100}$/, 'must be a name of at most 100 letters, digits, _ . : and -'),
  text(1, 1_000),
  { most: 10, rule: 'must have at most 10 parameters' },
).superRefine((given, context) => {
  for (const name of Object.keys(given).filter((one) => OWN_PARAMS.includes(one.toLowerCase()))) {
    context.addIssue({ code: 'custom', message: 'is a parameter that cannot be set', path: [name] });
  }
});

const AUTH_METHODS = ['basic', 'post', 'private_key_jwt'] as const;

export const oauth2 = z.looseObject({
  tokenUrl: z
    .string()
    .min(1, 'is required')
    .max(LIMITS.urlCharacters, `must be at most ${LIMITS.urlCharacters.toLocaleString('en')} characters`)
    .meta({
      description: 'The URL of the token endpoint. It must use https. The rules for the `url` of an endpoint apply.',
    }),
  clientId: printable(255),
  scopes: arrayOf(scope, { most: 20, rule: 'must have at most 20 scopes' }).optional(),
  audience: printable(1_000).optional(),
  authMethod: z.enum(AUTH_METHODS, `must be one of ${AUTH_METHODS.join(', ')}`).optional(),
  extraParams: extraParams.optional(),
});

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const pem = z.string().min(1, 'is required').max(16_384, 'must be at most 16 KiB');

export const tls = z.looseObject({
  ca: pem
    .meta({ description: 'The certificate authorities to trust instead of the public ones, as certificates in PEM.' })
    .optional(),
  clientCertificate: pem.meta({ description: 'The client certificate in PEM, followed by its chain.' }).optional(),
  serverName: text(1, 253)
    .refine((name) => name.split('.').every((label) => LABEL.test(label)), 'must be a host name')
    .optional(),
});

/**
 * Credentials by name, sealed and never shown again. The endpoint type says which ones it takes. Null removes a
 * credential.
 */
export const endpointCredentials = recordOf(
  z.string().regex(/^[a-zA-Z0-9]{1,40}$/, 'must be a name of at most 40 letters and digits'),
  z.string().min(1, 'is required').max(16_384, 'must be at most 16 KiB').nullable(),
  { most: 20, rule: 'must have at most 20 credentials' },
).meta({ writeOnly: true });
