import type { CreatePortalSessionBody } from '@posthorn/client';
import { given, type Row, required, text, texts } from '../command.ts';
import { seconds } from '../moment.ts';
import { oneLine } from '../safe-text.ts';

export const portal: readonly Row[] = [
  {
    usage: 'link <application>',
    summary: 'Make a link with which a customer opens the portal',
    options: {
      '--expires-in <time>': 'how long it works: 1h',
      '--capabilities <names>': 'what it may do, with commas between them: endpoints:read,deliveries:read',
      '--locale <language>': 'the language of the portal: en, de or fr',
      '--return-url <url>': 'where the portal leads back to',
    },
    examples: ['posthorn portal link ext:acme --expires-in 1h'],
    async run({ client, environmentId, output, signal }, call) {
      const { values } = call;
      const body: CreatePortalSessionBody = given({
        environmentId: await environmentId(),
        expiresInSeconds: seconds(values, 'expiresIn'),
        capabilities: texts(values, 'capabilities'),
        locale: text(values, 'locale') as CreatePortalSessionBody['locale'],
        returnUrl: text(values, 'returnUrl'),
      });
      const session = await client().portalSessions.create(required(call, 0), body, { signal });
      if (output.format === 'table') output.text(oneLine(session.url ?? ''));
      else await output.item(session);
    },
  },
];
