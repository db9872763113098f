import { z } from 'zod';

/** The scopes of a management token (docs/interface.md, Management token scopes). */
export const SCOPES = ['read', 'write', 'keys', 'payloads'] as const;
export const scope = z.enum(SCOPES, `must be one of ${SCOPES.join(', ')}`).meta({ id: 'Scope' });
export type Scope = (typeof SCOPES)[number];

/** The roles in a workspace, least first: each includes the rights of those before it (docs/interface.md, Roles). */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export const role = z.enum(ROLES, `must be one of ${ROLES.join(', ')}`).meta({ id: 'Role' });
export type Role = (typeof ROLES)[number];

/** The capabilities of a portal session (docs/interface.md, Portal capabilities). */
export const CAPABILITIES = [
  'endpoints:read',
  'endpoints:write',
  'secrets:read',
  'secrets:rotate',
  'deliveries:read',
  'deliveries:retry',
  'payloads:read',
  'events:test',
  'transformations:write',
  'alerts:write',
] as const;
/**
 * Capabilities that a portal session has only if the request names them: they let it run code and have messages sent.
 */
export const NAMED_CAPABILITIES: readonly (typeof CAPABILITIES)[number][] = ['transformations:write', 'alerts:write'];
export const capability = z.enum(CAPABILITIES, `must be one of ${CAPABILITIES.join(', ')}`).meta({ id: 'Capability' });
export type Capability = (typeof CAPABILITIES)[number];

export const PLANS = ['free', 'pro', 'enterprise'] as const;
export const plan = z.enum(PLANS, 'must be free, pro or enterprise').meta({ id: 'Plan' });
export type Plan = z.output<typeof plan>;
