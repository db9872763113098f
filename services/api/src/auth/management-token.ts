import { BlockList, isIPv6 } from 'node:net';
import { scope } from '@posthorn/contract/access';
import { fromId, toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { ApiError, notFound } from '../transport/error.ts';
import { notValid, requireBearer } from './credential.ts';
import type { IsKnown } from './credential-lookup.ts';
import type { LastUsed } from './last-used.ts';
import type { Authenticate } from './principal.ts';

/**
 * Authenticates the management interface (docs/interface.md, Credentials and interfaces). Every request reads the token
 * from the database. On a path without a workspace, the token determines it.
 */
export function createManagementAuth(deps: {
  db: Db;
  clock: Clock;
  lastUsed: LastUsed;
  isKnown: IsKnown;
}): Authenticate {
  return async (request, { workspaceId, spend }) => {
    const token = requireBearer(request, 'management');
    if (!(await deps.isKnown(token))) throw notValid('management');
    const record = await deps.db.managementToken.findUnique({
      where: { digest: digestToken(token.token) },
      include: { workspace: true },
    });
    const now = deps.clock.now();
    if (record === null || (record.expiresAt !== null && record.expiresAt <= now)) throw notValid('management');
    spend(record.id);
    if (record.isDisabled) throw new ApiError('token_disabled', 'Management token is disabled');
    if (workspaceId !== undefined && fromId('ws', workspaceId) !== record.workspaceId) throw notFound('Workspace');
    requireAllowedNetwork(record.allowedNetworks, request.ip);
    deps.lastUsed.managementToken(record.id, now);
    return {
      workspace: record.workspace,
      actor: { type: 'management_token', id: toId('tok', record.id), label: record.name },
      grant: {
        kind: 'scopes',
        scopes: record.scopes.map((name) => scope.parse(name)),
        environmentIds: record.environmentIds.length === 0 ? undefined : record.environmentIds,
      },
    };
  };
}

/**
 * Refuses (`forbidden`) an address that is in none of the networks: addresses, and ranges such as `203.0.113.0/24`. An
 * empty list allows every address. The caller's address is the one that the trusted proxies report (`TRUSTED_PROXIES`).
 */
function requireAllowedNetwork(networks: readonly string[], address: string | undefined): void {
  if (networks.length === 0 || (address !== undefined && isWithin(networks, address))) return;
  throw new ApiError('forbidden', `This token may not be used from ${address ?? 'an unknown address'}`);
}

function isWithin(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = familyOf(base);
    list.addSubnet(base, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  // A scope such as `%eth0` is not part of the address.
  const [plain = ''] = address.split('%');
  // An IPv4 address inside an IPv6 one (`::ffff:203.0.113.9`) is compared as IPv4.
  return list.check(plain, familyOf(plain));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
