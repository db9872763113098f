import { parseUrl } from '@posthorn/runtime/parse-url';
import { z } from 'zod';
import { plan } from './access.ts';
import { requireApplication } from './environments.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, id, name, slug, timestamp } from './primitives.ts';

const ORIGIN = /^https:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/;
/** An origin on the same machine. `*` is any port, as in a Content-Security-Policy. */
const LOCAL_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1)(:(\d{1,5}|\*))?$/;

/** The origin with `:*` removed, so that the rest can be compared with the form that browsers write. */
const written = (value: string) => (LOCAL_ORIGIN.test(value) ? value.replace(':*', '') : value);

/**
 * An https origin in the form that browsers write: lower case, no path, no default port. Also an http origin of this
 * machine, which the API accepts while `BASE_URL` is local.
 */
const origin = z
  .string()
  .refine(
    (value) => (ORIGIN.test(value) || LOCAL_ORIGIN.test(value)) && parseUrl(written(value))?.origin === written(value),
    'must be an https origin without a path, such as https://app.example.com',
  )
  .meta({ example: 'https://app.example.com' });

/**
 * The words that portal pages may use for an event. Every language needs the grammar of each
 * (packages/web/src/language).
 */
const PORTAL_EVENT_TERMS = ['Message', 'Event'] as const;
export const portalEventTerm = z.enum(PORTAL_EVENT_TERMS, 'must be Message or Event');

export const portalTerms = z
  .object({ event: portalEventTerm })
  .meta({ id: 'PortalTerms', description: 'The word that the customer portal uses for an event.' });

export const workspace = z
  .object({
    id: id('ws'),
    name: z.string(),
    slug: z.string(),
    plan,
    portalOrigins: z
      .array(z.string())
      .meta({ description: 'The origins that may frame the customer portal and call its API.' }),
    portalTerms,
    requireSecondFactor: z
      .boolean()
      .meta({ description: 'Whether members need a second factor to access the workspace.' }),
    payloadRetentionHours: z.int().nullable().meta({
      description:
        'How long payloads and the requests and responses of attempts are kept, in hours. Null for the retention of the installation.',
    }),
    retentionHours: z.int().nullable().meta({
      description: 'How far back lists and statistics go, in hours. Null for the retention of the installation.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Workspace', description: 'A workspace. Every other resource belongs to one.' });

const quota = z
  .object({
    limit: z.int().nullable().meta({ description: 'The limit. Null if there is none.' }),
    used: z.int().meta({ description: 'The amount that is used, as of a few seconds ago.' }),
  })
  .meta({ id: 'Quota' });

export const workspaceWithQuotas = workspace
  .extend({
    installationRetentionHours: z.int().meta({
      description:
        'How long this installation keeps data, in hours. This is the limit for `payloadRetentionHours` and `retentionHours`, and applies if they are null.',
    }),
    quotas: z.object({ eventsPerDay: quota, bytesKept: quota, attemptBytesKept: quota }).meta({
      description: 'The events of this UTC day, and the bytes of payloads and attempts that are stored.',
    }),
  })
  .meta({ id: 'WorkspaceWithQuotas', description: "A workspace, with its quotas and the installation's retention." });

export const createWorkspaceBody = z.object({
  name,
  slug,
  requireApplication: requireApplication
    .meta({ description: 'The `requireApplication` setting of the first environment. Defaults to false.' })
    .optional(),
});

/** Whole hours, up to the longest retention of an installation. Null: the installation's own setting. */
const hours = (least: number) => {
  const rule = `must be a whole number from ${least} to ${LIMITS.retentionHours}, or null`;
  return z.int(rule).min(least, rule).max(LIMITS.retentionHours, rule).nullable();
};

export const updateWorkspaceBody = z.object({
  name: name.optional(),
  requireSecondFactor: z.boolean().optional(),
  payloadRetentionHours: hours(1).optional(),
  retentionHours: hours(24).optional(),
  portalOrigins: arrayOf(origin, {
    most: LIMITS.portalOrigins,
    rule: `must have at most ${LIMITS.portalOrigins} origins`,
  }).optional(),
  portalTerms: portalTerms.optional(),
});
