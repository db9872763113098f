import { z } from 'zod';
import { CAPABILITIES, capability } from './access.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, id, idReference, shownOnce, text, timestamp } from './primitives.ts';
import { portalTerms } from './workspaces.ts';

const linkOf = (protocol: RegExp, error: string) =>
  text(1, LIMITS.urlCharacters)
    .pipe(z.url({ protocol, error }))
    .refine((url) => !/^[^/?#]*\/\/[^/?#]*@/.test(url), 'must not contain a username or password')
    .meta({ documentedAs: z.string().max(LIMITS.urlCharacters).meta({ format: 'uri' }) });

const LOGO_RULE = 'must be an https URL';
/** A logo on the same machine. The API accepts it while `BASE_URL` is local. */
const LOCAL_LOGO = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?(\/|$)/;

/** Font names on the reader's device, without quotes. The page adds these. */
const FONTS = /^[A-Za-z][A-Za-z0-9 -]{0,60}(?:,[A-Za-z0-9 -]{1,61}){0,9}$/;
const RADIUS_RULE = 'must be whole pixels from 0 to 24';
const CSS_NAME = /^--[a-z][a-z0-9_-]{0,60}$/;
/**
 * Allows colours, lengths and functions of them. Excludes characters that end a declaration, open a comment or name an
 * address.
 */
const CSS_VALUE = /^[A-Za-z0-9#.,%() /+*-]{1,120}$/;
const CSS_MOST = 60;

/** Whether every declaration sets a custom property to a value that loads nothing. */
function isSafeCss(text: string): boolean {
  const declarations = text.split(';').filter((one) => one.trim() !== '');
  return declarations.length <= CSS_MOST && declarations.every(isSafeDeclaration);
}

function isSafeDeclaration(text: string): boolean {
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1).trim();
  const loads = ['url(', 'image', 'src(', '/*', '//'].some((part) => value.toLowerCase().includes(part));
  return colon !== -1 && CSS_NAME.test(text.slice(0, colon).trim()) && CSS_VALUE.test(value) && !loads;
}

const theme = z
  .object({
    mode: z.enum(['light', 'dark', 'auto'], 'must be light, dark or auto').optional(),
    primaryColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'must be #rrggbb')
      .optional(),
    logoUrl: linkOf(/^https?$/, LOGO_RULE)
      .refine((url) => url.toLowerCase().startsWith('https:') || LOCAL_LOGO.test(url), LOGO_RULE)
      .optional(),
    fontFamily: text(1, 300)
      .regex(FONTS, 'must be names of fonts with commas between them, without quotes')
      .optional()
      .meta({
        description:
          "The font families, as in CSS. The first one that is installed on the reader's device is used; no font is loaded.",
      }),
    radius: z
      .int(RADIUS_RULE)
      .min(0, RADIUS_RULE)
      .max(24, RADIUS_RULE)
      .optional()
      .meta({ description: 'The corner radius of buttons, fields and panels, in pixels.' }),
    css: text(1, 4_000)
      .refine(isSafeCss, 'must be declarations of custom properties, such as --surface: #fafafa; --line: #ddd')
      .optional()
      .meta({ description: 'CSS custom properties of the page, such as `--surface: #fafafa; --line: #ddd`.' }),
  })
  .meta({ id: 'PortalTheme' });

/** The languages of the portal. Each except English has a catalogue in packages/web/src/language/catalogues. */
const PORTAL_LOCALES = ['en', 'de', 'fr'] as const;

export const portalLocale = z.enum(PORTAL_LOCALES, 'must be en, de or fr').meta({ id: 'PortalLocale' });

const portalSessionFields = {
  id: id('prt'),
  applicationId: id('app'),
  environmentId: id('env'),
  capabilities: z.array(capability),
  theme: theme.nullable(),
  locale: portalLocale,
  returnUrl: z.string().nullable(),
  expiresAt: timestamp,
  createdAt: timestamp,
};

export const portalSession = z
  .object(portalSessionFields)
  .meta({ id: 'PortalSession', description: 'A session that gives a customer access to the portal.' });

/** A portal session on creation. No other answer has the token. */
export const createdPortalSession = portalSession
  .extend({
    url: z.string().nullable().meta({
      description:
        'The URL of the portal. The token is in its fragment, which is never sent to a server. Null if `token` is null.',
    }),
    token: z
      .string()
      .nullable()
      .meta({ description: shownOnce('Bearer token for `/api/portal`', 'php_…') }),
  })
  .meta({ id: 'CreatedPortalSession' });

const expiresInSeconds = 'must be whole seconds from 300 to 604,800';

export const createPortalSessionBody = z.object({
  environmentId: idReference.optional(),
  expiresInSeconds: z.int(expiresInSeconds).min(300, expiresInSeconds).max(604_800, expiresInSeconds).default(3_600),
  capabilities: arrayOf(capability, { most: LIMITS.namedRights, rule: `must have at most ${LIMITS.namedRights} items` })
    .transform((given) => CAPABILITIES.filter((one) => given.includes(one)))
    .optional()
    .meta({
      description:
        "The capabilities of the session, within the caller's own rights. Defaults to all of these except `transformations:write` and `alerts:write`.",
    }),
  theme: theme.nullable().optional(),
  locale: portalLocale.optional().meta({ description: 'The language of the portal. Defaults to `en`.' }),
  returnUrl: linkOf(/^https?$/, 'must be an http or https URL')
    .nullable()
    .optional(),
});

/** A portal session as its holder sees it. */
export const ownPortalSession = portalSession
  .extend({
    workspaceId: id('ws').meta({ description: 'The id of the workspace, as in the `source` of CloudEvents.' }),
    portalOrigins: z.array(z.string()).meta({ description: 'The origins that may frame the portal and call its API.' }),
    portalTerms,
    sendsMail: z.boolean().meta({ description: 'Whether this installation sends email.' }),
    agentsUrl: z.string().nullable().meta({ description: 'The URL where agents subscribe. Null if they may not.' }),
    agentsIssuer: z
      .string()
      .nullable()
      .meta({ description: 'The issuer where people log in to connect an agent. Null if agents need an agent key.' }),
    applicationName: z.string(),
    environmentName: z.string(),
  })
  .meta({ id: 'OwnPortalSession' });
