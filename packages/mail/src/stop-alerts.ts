import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';

/** What the link of an alert mail stops: the mails of a rule, and those that a member of the workspace gets unasked. */
export type StoppedAlerts = { workspaceId: string; ruleId: string; address: string };

/** The address of a page, and of a request without login (RFC 8058), that stops the mails. Nothing of it is stored. */
export function stopAlertsUrl(
  keys: SealingKeys,
  baseUrl: string,
  { workspaceId, ruleId, address }: StoppedAlerts,
): string {
  const text = JSON.stringify([workspaceId, ruleId, address]);
  const sealed = seal(keys, Buffer.from(text, 'utf8'), sealContext.stopAlerts());
  return `${baseUrl}/stop-alerts?token=${sealed.toString('base64url')}`;
}

/** What the token of such a link stops; undefined for any other text. */
export function readStopToken(keys: SealingKeys, token: string): StoppedAlerts | undefined {
  const opened = open(keys, Buffer.from(token, 'base64url'), sealContext.stopAlerts());
  if (opened.kind !== 'opened') return undefined;
  const [workspaceId, ruleId, address] = JSON.parse(opened.plaintext.toString('utf8')) as [string, string, string];
  return { workspaceId, ruleId, address };
}
