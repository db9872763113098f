import { OWNER } from '../kind.ts';

/** The permission policy of a kind: only these actions, and only on this target. */
export function policy(actions: readonly string[], resource: string): string {
  const statement = { Effect: 'Allow', Action: actions, Resource: resource };
  return ['```json', JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, null, 2), '```'].join('\n');
}

/** How a customer lets the service send: with a role, which is better, or with keys. */
export const access = [
  '**With a role.** Create a role whose trust policy lets the sender take it, with this external id only: it is the id of the owner of the endpoint, an application (`app_…`) or the workspace (`ws_…`). Ask the operator for the ARN of the identity that sends. Then give the ARN of your role as `roleArn`.',
  '',
  '```json',
  JSON.stringify(
    {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: 'ARN of the identity that sends' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'sts:ExternalId': OWNER } },
        },
      ],
    },
    null,
    2,
  ),
  '```',
  '',
  '**With keys.** Create a user with the same policy, and give `accessKeyId` and `secretAccessKey`.',
].join('\n');
