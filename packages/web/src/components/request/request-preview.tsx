import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint, EndpointConfig } from '../../client/resources.ts';
import { nowMs } from '../../clock.ts';
import { rich, t } from '../../language/language.ts';
import { CodeBlock } from '../code-block.tsx';
import { type EventTypeChoice, EventTypeSelect } from '../event-type-select.tsx';
import { SampleSelect } from '../sample/sample-select.tsx';
import type { Samples } from '../sample/samples.ts';
import { useSample } from '../sample/use-sample.ts';
import { requestText } from './request-text.ts';
import { hasStandardHeaders, type Signature } from './signatures.ts';

export type PreviewDraft = {
  url: string;
  format: NonNullable<EndpointConfig['payloadFormat']>;
  signature: Signature;
  standardHeaders?: boolean | undefined;
  headers: Readonly<Record<string, string>>;
};

type Props = EventTypeChoice & {
  draft: PreviewDraft;
  endpoint: Pick<Endpoint, 'environmentId' | 'secretHeaderNames' | 'hasAuth' | 'config'>;
  workspaceId: string;
  /** The samples of the chosen event type. */
  samples: Samples;
};

const SIGNED = <Code>webhook-id.webhook-timestamp.body</Code>;

/** The request that the draft makes of an event or an example, and which parts of it are signed. */
export function RequestPreview(props: Props) {
  const { draft, typeId, samples } = props;
  return (
    <Stack gap="sm" maw={760} component="section" aria-label={t('This is what will be sent')}>
      <Title order={3}>{t('This is what will be sent')}</Title>
      <Group gap="sm" align="flex-start">
        <EventTypeSelect {...props} placeholder="order.created" />
        {/* A new key: another type starts with its own example. */}
        <Request key={typeId ?? ''} {...props} samples={samples} draft={draft} />
      </Group>
    </Stack>
  );
}

function Request({ draft, endpoint, workspaceId, types, typeId, samples }: Props) {
  const state = useSample(samples);
  const [at] = useState(() => new Date(nowMs()).toISOString());
  const { sample } = state;
  const { head, body } = requestText({
    ...endpoint,
    ...draft,
    workspaceId,
    hasToken: endpoint.config.oauth2 !== undefined,
    type: types.find(({ id }) => id === typeId)?.name ?? 'order.created',
    sample,
    at,
  });
  const isWrapped = draft.format !== 'raw';
  const { transformation } = endpoint.config;
  const isTransformed = transformation !== undefined && transformation.isEnabled !== false;
  return (
    <>
      <SampleSelect label={t('Payload')} samples={samples} state={state} />
      <Stack gap="xs" w="100%">
        <CodeBlock text={head} what={t('the headers')} />
        <CodeBlock text={body} what={t('the body')} />
        <Text size="xs" c="dimmed">
          {isTransformed ? t('The endpoint’s transformation makes another body of it first. ') : null}
          {isWrapped ? t('The body is indented here for reading; it is sent without these breaks. ') : null}
          {sample.isBase64 && !isWrapped ? t('The body is shown as base64; its bytes are sent. ') : null}
          {hasStandardHeaders(draft) ? <WhatIsSigned isWrapped={isWrapped} /> : null}
          {draft.signature === 'standard-ed25519'
            ? t(' v1 is made with the secret; v1a is made with a private key, and the public key verifies it.')
            : null}
        </Text>
      </Stack>
    </>
  );
}

function WhatIsSigned({ isWrapped }: { isWrapped: boolean }) {
  return isWrapped
    ? rich(
        'The standard signature covers {code}, with the body exactly as it is sent, in this form. The other headers are not signed.',
        { code: SIGNED },
      )
    : rich(
        'The standard signature covers {code}, with the body exactly as it is sent. The other headers are not signed.',
        { code: SIGNED },
      );
}
