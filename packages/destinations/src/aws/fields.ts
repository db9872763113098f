import { parseUrl } from '@posthorn/runtime/parse-url';
import { z } from 'zod';
import type { NamedServer } from '../kind.ts';
import { parseArn, REGION } from './arn.ts';

// The fields that the AWS kinds share.

export const region = z
  .string()
  .regex(REGION, 'must be a region of AWS, such as eu-central-1')
  .meta({ title: 'Region', description: 'The code of the AWS region.', examples: ['eu-central-1'] });

export const endpoint = z
  .string()
  .max(2_048)
  .refine(isServer, 'must be the address of a server, such as https://s3.example.com')
  .meta({
    title: 'Endpoint',
    description: 'The address of a server that is compatible with AWS. Omit it for AWS itself.',
    examples: ['https://s3.example.com'],
  });

/** Whether a text is a scheme, a host and perhaps a port. The egress rules decide whether the server may be reached. */
function isServer(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, username, password, pathname, search, hash } = url;
  const isBare = `${username}${password}${search}${hash}` === '' && pathname === '/';
  return isBare && (protocol === 'https:' || protocol === 'http:');
}

const secret = (title: string, most: number, { description, example }: { description: string; example: string }) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    // Values that are sent in headers.
    .regex(/^[!-~]*$/, 'must be printable ASCII without spaces')
    .meta({ title, description, examples: [example], writeOnly: true });

/** Either a role, or a pair of keys. */
export const awsCredentials = z
  .strictObject({
    roleArn: z
      .string()
      .max(2_048)
      .refine(isRole, 'must be the ARN of a role, such as arn:aws:iam::123456789012:role/events')
      .meta({
        title: 'Role ARN',
        description: 'The role to assume. Preferred over keys, because no secret is stored.',
        examples: ['arn:aws:iam::123456789012:role/events'],
        writeOnly: true,
      })
      .optional(),
    accessKeyId: secret('Access key ID', 128, {
      description: 'The access key ID of an IAM user.',
      example: 'AKIAIOSFODNN7EXAMPLE',
    }).optional(),
    secretAccessKey: secret('Secret access key', 256, {
      description: 'The secret access key for the access key ID.',
      example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    }).optional(),
    sessionToken: secret('Session token', 4_096, {
      description: 'The session token. Required only for temporary keys.',
      example: 'FwoGZXIvYXdz…',
    }).optional(),
  })
  .refine(isOneWay, 'must have either roleArn, or accessKeyId and secretAccessKey');

function isRole(text: string): boolean {
  const arn = parseArn(text);
  return arn?.service === 'iam' && /^\d{12}$/.test(arn.account) && /^role\/[\w+=,.@/-]{1,576}$/.test(arn.resource);
}

type Given = { roleArn?: unknown; accessKeyId?: unknown; secretAccessKey?: unknown; sessionToken?: unknown };

function isOneWay({ roleArn, accessKeyId, secretAccessKey, sessionToken }: Given): boolean {
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  const hasAnyKey = accessKeyId !== undefined || secretAccessKey !== undefined || sessionToken !== undefined;
  return roleArn === undefined ? hasKeys : !hasAnyKey;
}

/** The server that the settings name instead of the region's own, if any. */
export function namedServer({ endpoint }: { endpoint?: string | undefined }): NamedServer[] {
  return endpoint === undefined ? [] : [{ url: endpoint, field: 'endpoint' }];
}
