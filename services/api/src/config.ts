import { plan } from '@posthorn/contract/access';
import { newPassword } from '@posthorn/contract/accounts';
import { parseCursorKeys } from '@posthorn/crypto/cursor';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { parseToken } from '@posthorn/crypto/token';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parsePlanLimits } from '@posthorn/ingest/quota-limits';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from '@posthorn/messages/retry-schedule';
import { commonSettings, flag, postgresUrl, readSettings, wholeNumber } from '@posthorn/runtime/env';
import { checkedBy, parsedBy } from '@posthorn/runtime/parsed-setting';
import { checkWebUrl } from '@posthorn/runtime/web-url';
import { z } from 'zod';
import { checkIssuer, type OidcSettings, parseGroups } from './account/oidc/oidc-settings.ts';
import { parseChangesPerDay } from './audit/changes-per-day.ts';
import { parseEndpointTypes } from './endpoint-types/creatable-types.ts';
import { checkEhloName, parseSender, parseSmtpUrl } from './mail/smtp-settings.ts';

const credential = (kind: 'management' | 'apiKey', prefix: string) =>
  z
    .string()
    .refine(
      (text) => parseToken(text)?.kind === kind,
      `must be a credential that begins with ${prefix} (posthorn-admin makes one)`,
    )
    .optional();

/** The API's settings, with the descriptions that docs/generate.mjs writes into the reference. @public */
export const settings = z.object({
  ...commonSettings,
  DATABASE_READ_URL: postgresUrl
    .optional()
    .describe(
      'Secret. A streaming replica of Postgres. The lists of events, deliveries and audit entries and the statistics are read there, as old as its lag. Unset: everything is read from `DATABASE_URL`.',
    ),
  PORT: wholeNumber(0, 65_535).default(3_000).describe('The port of the API. 0 is any free port.'),
  SEALING_KEYS: parsedBy(parseSealingKeys).describe(
    'Secret. Encrypts payloads and signing secrets: `id:base64` of 32 bytes, separated by commas, newest first. The first key encrypts, every key decrypts. Without the key the database cannot be read: keep a copy.',
  ),
  CURSOR_KEYS: parsedBy(parseCursorKeys).describe(
    'Secret. Encrypts the cursors of lists and the cookie that marks a browser; written like `SEALING_KEYS`.',
  ),
  QUEUE_BOARD_URL: checkedBy((text) => checkWebUrl(text, { isShown: true }))
    .optional()
    .describe(
      'Where operators reach the queue board (`ADMIN_PORT` of a dispatcher). The dashboard links to it; every member of a workspace sees the link.',
    ),
  HEAP_GROWTH_PERCENT: wholeNumber(0, 1_000)
    .default(25)
    .describe(
      "How much the heap may grow before garbage is collected, in percent of its live objects. More takes more memory and less CPU. 0 is V8's own choice.",
    ),
  MAX_PAYLOAD_BYTES: wholeNumber(1, 1_048_576).default(262_144).describe('The largest payload of an event.'),
  MAX_ENDPOINTS_PER_WORKSPACE: wholeNumber(0, 1_000_000)
    .default(5_000)
    .describe('The endpoints of one workspace; 0 means no limit.'),
  MCP_EVENTS: flag
    .default(false)
    .describe(
      'Whether agents may subscribe to events over the Model Context Protocol, where an environment allows it. First let every dispatcher run this version.',
    ),
  MAX_AGENT_SUBSCRIPTIONS: wholeNumber(0, 1_000_000)
    .default(20_000)
    .describe('The live subscriptions of agents of one workspace; 0 means no limit.'),
  MCP_EVENTS_CHALLENGES_PER_HOST: wholeNumber(2, 1_000_000)
    .default(300)
    .describe(
      'The challenges a minute that an API process sends to the callbacks of agents at one host. Of these, the workspaces of one account have half.',
    ),
  DEFAULT_PLAN: plan
    .meta({ values: plan.options.join(', ') })
    .default('enterprise')
    .describe('The plan of new workspaces. `enterprise` locks nothing.'),
  EGRESS_ALLOW_CIDRS: parsedBy(parseAllowedCidrs)
    .default(parseAllowedCidrs(''))
    .describe('Private address ranges that endpoints may use, such as `10.0.0.0/8,fd00::/8`.'),
  EGRESS_ALLOW_PLAINTEXT: flag
    .default(false)
    .describe('Whether brokers and stores may be reached without TLS. Webhooks always need TLS.'),
  ENDPOINT_TYPES: parsedBy(parseEndpointTypes)
    .optional()
    .describe(
      'The types of endpoints that may be created, separated by commas. Existing ones go on. Unset: every type, and in portals `webhook` and `pull`.',
    ),
  RETRY_SCHEDULE: parsedBy(parseRetrySchedule)
    .default(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE))
    .describe('The same as in the dispatcher: for messages that consumers give back, and for what pages show.'),
  DELIVERY_TIMEOUT_SECONDS: wholeNumber(1, 30).default(15).describe('The same as in the dispatcher: pages show it.'),
  RATE_LIMIT_MANAGEMENT: wholeNumber(0, 1_000_000)
    .default(100)
    .describe(
      'Requests per second of one management token, session or portal session; the burst is ten times that. 0 means no limit.',
    ),
  RATE_LIMIT_INGEST: wholeNumber(0, 1_000_000)
    .default(0)
    .describe('Requests per second of one API key or pull key; the burst is twice that. 0 means no limit.'),
  MAX_WORKSPACES_PER_USER: wholeNumber(0, 1_000_000)
    .default(50)
    .describe('The workspaces that one user may own or have created; 0 means no limit.'),
  WORKSPACE_CREATION: z
    .enum(['members', 'operators'], 'must be members or operators')
    .meta({ values: 'members, operators' })
    .default('members')
    .describe(
      'Who creates workspaces: every person with an account, or the operator alone, by `posthorn-admin create-workspace`.',
    ),
  ACCOUNT_CREATION: z
    .enum(['admins', 'operators'], 'must be admins or operators')
    .meta({ values: 'admins, operators' })
    .default('admins')
    .describe(
      'Who creates accounts with a password: the admins of workspaces too, or the operator alone. People can be invited in any case.',
    ),
  CHANGES_PER_DAY: parsedBy(parseChangesPerDay)
    .default(parseChangesPerDay('application:1000'))
    .describe(
      'The changes on a UTC day, including views of payloads: of all portals of one application, and of what a workspace does itself, such as `application:1000,workspace:10000`. A name that is left out, or 0, means no limit. The creation of portal sessions is exempt. Unset: `application:1000`.',
    ),
  QUOTA_EVENTS_PER_DAY: parsedBy(parsePlanLimits)
    .default(parsePlanLimits('0'))
    .describe(
      'The events that a workspace may send on a UTC day: a number, or one for each plan, such as `free:10000,pro:1000000`. 0, the default, means no limit. `posthorn-admin set-quotas` sets it for one workspace.',
    ),
  QUOTA_BYTES_KEPT: parsedBy(parsePlanLimits)
    .default(parsePlanLimits('0'))
    .describe(
      'The bytes of payloads of a workspace that may be kept within the retention; written like `QUOTA_EVENTS_PER_DAY`.',
    ),
  QUOTA_ATTEMPT_BYTES_KEPT: parsedBy(parsePlanLimits)
    .default(parsePlanLimits('0'))
    .describe(
      'The bytes of attempts of a workspace that may be kept within the retention, mostly answers of receivers; written like `QUOTA_EVENTS_PER_DAY`.',
    ),
  SMTP_URL: parsedBy(parseSmtpUrl)
    .optional()
    .describe(
      'Secret. The mail server: `smtp://[user:password@]host[:587]`, with STARTTLS where the server offers it and always with a password, or `smtps://…[:465]` for TLS from the first byte. Invitations, password resets and alerts are then mailed. Unset: Posthorn sends no mail, and the pages say so.',
    ),
  SMTP_CA: z
    .string()
    .regex(/-----BEGIN CERTIFICATE-----/, 'must be certificates in PEM')
    .optional()
    .describe(
      "The authorities of the mail server's certificate, in PEM, usually as `SMTP_CA_FILE`. Unset: those that Node trusts.",
    ),
  SMTP_EHLO_NAME: checkedBy(checkEhloName)
    .optional()
    .describe(
      'How Posthorn names itself to the mail server (EHLO). Unset: the host of `BASE_URL`; where that is an address or has no dot, the domain of `MAIL_FROM`.',
    ),
  MAIL_FROM: parsedBy(parseSender)
    .optional()
    .describe(
      'The sender of every mail: `posthorn@example.com` or `Posthorn <posthorn@example.com>`. Unset: `posthorn@` and the host of `BASE_URL`.',
    ),
  OIDC_ISSUER: checkedBy(checkIssuer)
    .optional()
    .describe(
      'The address of your identity provider (OpenID Connect), as it names itself: `https://acme.okta.com`. People then sign in with it. Its answers come to `BASE_URL/oidc/callback`. Unset: passwords only.',
    ),
  OIDC_CLIENT_ID: z.string().optional().describe('The id of Posthorn at the provider.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('Secret. The secret of Posthorn at the provider.'),
  OIDC_SCOPES: z
    .string()
    .regex(
      /^openid( [\x21\x23-\x5b\x5d-\x7e]{1,100}){0,20}$/,
      'must be openid and other scopes, with a space between each two',
    )
    .default('openid email profile')
    .describe('What Posthorn asks the provider for. It needs the email address.'),
  OIDC_NAME: z
    .string()
    .max(50, 'must be at most 50 characters')
    .default('your identity provider')
    .describe('The provider as people know it: the button says "Sign in with Okta".'),
  OIDC_GROUPS_CLAIM: z
    .string()
    .max(200, 'must be at most 200 characters')
    .optional()
    .describe('The claim of the ID token that has the names of the groups of a person, such as `groups`.'),
  OIDC_GROUPS: parsedBy(parseGroups)
    .optional()
    .describe(
      'What a group gives, as JSON: `{"platform": {"workspace": "*", "role": "admin"}}`. The workspace is an id, or `*` for all. Applied at each sign-in; what groups gave ends with them. The last owner of a workspace always stays.',
    ),
  OIDC_AUTO_CREATE: flag
    .default(false)
    .describe(
      'Whether a person without an account gets one, with what the groups give. `false`: only people with an account, and the invited.',
    ),
  PASSWORD_LOGIN: flag
    .default(true)
    .describe(
      'Whether people sign in with passwords. `false` needs `OIDC_ISSUER`; `posthorn-admin sign-in-link` still lets an operator in.',
    ),
  TRUSTED_PROXIES: wholeNumber(0, 10)
    .default(0)
    .describe(
      'The number of proxies in front of the API: this many entries of `X-Forwarded-For`, from its end, are trusted.',
    ),
  BOOTSTRAP_EMAIL: z
    .email('must be an email address')
    .optional()
    .describe('The first user. The four `BOOTSTRAP_` settings are used while the database has no workspace.'),
  BOOTSTRAP_PASSWORD: newPassword.optional().describe("Secret. The first user's password."),
  BOOTSTRAP_MANAGEMENT_TOKEN: credential('management', 'phm_').describe(
    'Secret. A management token of the first workspace; `posthorn-admin new-token` makes one.',
  ),
  BOOTSTRAP_API_KEY: credential('apiKey', 'phk_').describe(
    'Secret. An API key of its default environment; `posthorn-admin new-api-key` makes one.',
  ),
});

export type Config = z.output<typeof settings>;

/** The API's settings (docs/interface.md, Settings), read once; throws SettingsError with every fault. */
export function readConfig(environment?: Record<string, string | undefined>): Config {
  return readSettings(settings, environment, faultsTogether);
}

/** The faults of settings that do not fit together. */
function faultsTogether(given: Readonly<Record<string, string>>): string[] {
  const { OIDC_ISSUER: issuer, OIDC_GROUPS: groups, OIDC_GROUPS_CLAIM: claim, PASSWORD_LOGIN: login } = given;
  const faults: string[] = [];
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
    if (issuer !== undefined && given[name] === undefined) faults.push(`OIDC_ISSUER needs ${name}`);
    if (issuer === undefined && given[name] !== undefined) faults.push(`${name} needs OIDC_ISSUER`);
  }
  if (groups !== undefined && claim === undefined) faults.push('OIDC_GROUPS needs OIDC_GROUPS_CLAIM');
  if (login === 'false' && issuer === undefined) faults.push('PASSWORD_LOGIN may be false only with OIDC_ISSUER');
  return faults;
}

/** The sign-in provider; undefined where there is none. */
export function oidcSettingsOf(config: Config): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: config.OIDC_SCOPES,
    name: config.OIDC_NAME,
    groupsClaim: config.OIDC_GROUPS_CLAIM,
    groups: config.OIDC_GROUPS ?? new Map(),
    autoCreate: config.OIDC_AUTO_CREATE,
  };
}
