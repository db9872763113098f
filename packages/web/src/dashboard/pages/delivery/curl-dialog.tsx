import { Alert, Loader, Modal, Stack, Text } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Attempt, DeliveryDetail } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { DASHBOARD_TEXTS } from '../../reader-texts.ts';
import { payloadQuery } from '../deliveries/delivery-queries.ts';
import { endpointQuery } from '../endpoints/endpoint-queries.ts';
import { signedCurl, whyNoCommand } from './signed-curl.ts';

type Props = {
  opened: boolean;
  onClose: () => void;
  delivery: DeliveryDetail;
  requestHeaders: Attempt['requestHeaders'] | undefined;
};

/** The delivery's request as a command, signed in this browser when the dialog opens. */
export function CurlDialog({ opened, onClose, ...input }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="The request as curl" size="xl">
      {opened ? <CurlCommand {...input} /> : null}
    </Modal>
  );
}

type Input = Omit<Props, 'opened' | 'onClose'>;
type Command = { kind: 'command'; text: string } | { kind: 'impossible'; reason: string };

function CurlCommand({ delivery, requestHeaders }: Input) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const command = useQuery({
    queryKey: ['signed curl', delivery.id],
    queryFn: () => makeCommand(queryClient, workspace.id, { delivery, requestHeaders }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (command.error) return <ErrorNotice title="The command could not be made" error={command.error} />;
  if (command.data === undefined) return <Loader size="sm" />;
  if (command.data.kind === 'impossible') return <Alert color="yellow">{command.data.reason}</Alert>;
  return (
    <Stack gap="sm">
      <CodeBlock text={command.data.text} what="the command" />
      <Text size="xs" c="dimmed">
        The signature is fresh: receivers accept it for about five minutes. It was made in this browser; the secret is
        not part of the command. Headers that hold credentials are left out.
      </Text>
    </Stack>
  );
}

async function makeCommand(queryClient: QueryClient, workspaceId: string, input: Input): Promise<Command> {
  const { delivery, requestHeaders } = input;
  if (!window.isSecureContext) {
    return { kind: 'impossible', reason: 'The browser signs only on https or localhost. Open the dashboard that way.' };
  }
  const receiver = await queryClient.fetchQuery(endpointQuery(workspaceId, delivery.endpointId));
  const { url, secret, authUsername } = receiver;
  if (secret === null) return { kind: 'impossible', reason: 'Your role may not see the signing secret.' };
  const reason = whyNoCommand(receiver);
  if (reason !== undefined) return { kind: 'impossible', reason };
  // Reading the payload adds an entry to the audit log, so it is read last.
  const payload = await queryClient.fetchQuery(payloadQuery(workspaceId, delivery.id));
  const words = payload === null ? undefined : DASHBOARD_TEXTS.payloads[payload.status];
  if (payload === null || (payload.status !== 'available' && payload.status !== 'not_stored')) {
    return { kind: 'impossible', reason: words ?? 'The payload is missing.' };
  }
  const timestamp = Math.floor(nowMs() / 1000);
  const endpoint = { url, secret, authUsername };
  return { kind: 'command', text: await signedCurl({ delivery, payload, endpoint, requestHeaders, timestamp }) };
}
