import { oneOf } from '../../../components/one-of.ts';
import { isText, searchOf } from '../../search-of.ts';

/** The kinds of actors, with their names. */
export const ACTORS = {
  user: 'Person',
  management_token: 'Management token',
  api_key: 'API key',
  portal_session: 'Portal',
  agent_key: 'Agent',
  agent: 'Login of an agent',
  system: 'Posthorn',
} as const;

/** The filters of the audit log, and the page number. */
export const readAuditSearch = searchOf({
  action: isText,
  resource: isText,
  actor: oneOf(ACTORS),
  page: isLaterPage,
});

export type AuditSearch = ReturnType<typeof readAuditSearch>;

function isLaterPage(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 1;
}
