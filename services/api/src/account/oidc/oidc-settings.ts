import { type Role, role } from '@posthorn/contract/access';
import { fromId } from '@posthorn/contract/ids';
import { checkWebUrl } from '@posthorn/runtime/web-url';
import { z } from 'zod';

/** The role that a group of the provider gives: in one workspace (its key), or in all (`*`). */
export type GroupRole = { workspaceId: string | '*'; role: Role };
export type GroupRoles = ReadonlyMap<string, GroupRole>;

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** The provider's name on the sign-in button. */
  name: string;
  groupsClaim: string | undefined;
  groups: GroupRoles;
  autoCreate: boolean;
};

const MOST_GROUPS = 1_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const groupRole = z.strictObject({ workspace: z.string(), role });

/** Checks an issuer's address. Only a provider on this machine may be without TLS. Throws an Error that names the rule. */
export function checkIssuer(text: string): void {
  checkWebUrl(text, { isBase: true, isShown: true });
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !LOOPBACK.has(hostname)) throw new Error('must be an https URL');
}

/** Parses `OIDC_GROUPS`. Throws an Error that names the group and the rule. */
export function parseGroups(text: string): GroupRoles {
  const groups = Object.entries(jsonObject(text));
  if (groups.length > MOST_GROUPS) throw new Error(`must have at most ${MOST_GROUPS} groups`);
  return new Map(groups.map(([name, given]) => [name, parseGroup(name, given)]));
}

function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object');
  return value as Record<string, unknown>;
}

function parseGroup(name: string, given: unknown): GroupRole {
  const read = groupRole.safeParse(given);
  if (!read.success) {
    throw new Error(`the group ${name} must be {"workspace": "ws_…" or "*", "role": "${role.options.join('|')}"}`);
  }
  const { workspace } = read.data;
  const workspaceId = workspace === '*' ? '*' : fromId('ws', workspace);
  if (workspaceId === undefined) throw new Error(`the workspace of the group ${name} must be the id of one, or *`);
  return { workspaceId, role: read.data.role };
}
