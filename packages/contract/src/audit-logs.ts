import { z } from 'zod';
import { inOrder, offsetDateTime, text, timestamp } from './primitives.ts';

export const auditEntry = z
  .object({
    id: z.uuid(),
    actorType: z.enum(['user', 'management_token', 'api_key', 'portal_session', 'agent_key', 'agent', 'system']),
    actorId: z.string(),
    actorLabel: z.string(),
    visibility: z.enum(['workspace', 'portal']),
    action: z.string().meta({ example: 'endpoint.created' }),
    resourceType: z.string().meta({ example: 'endpoint' }),
    resourceId: z.string(),
    metadata: z.object({
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).meta({ id: 'AuditLogChange' })),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      requestId: z.string().nullable(),
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'AuditLogEntry', description: 'An entry of the audit log: a change, with its actor and origin.' });

export const auditLogsPage = z
  .object({
    data: z.array(auditEntry),
    total: z.int().meta({ description: 'The total number of entries that match the filters, across all pages.' }),
    page: z.int(),
    pageSize: z.int(),
  })
  .meta({ id: 'AuditLogsPage' });

/** The largest page number that the expression accepts. */
const LAST_PAGE = 999_999_999_999;

const pageNumber = z
  .string()
  .regex(/^0*[1-9]\d{0,11}$/, 'must be a whole number of at least 1')
  .transform(Number)
  .meta({ documentedAs: z.int().min(1).max(LAST_PAGE) })
  .default(1);

const word = text(1, 100);

export const listAuditLogsQuery = z
  .object({
    page: pageNumber,
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
    action: word.optional(),
    resource_type: word.optional(),
    actor_type: word.optional(),
  })
  .refine(inOrder.isMet, inOrder.fault);
