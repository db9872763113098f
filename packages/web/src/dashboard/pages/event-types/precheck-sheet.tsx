import { Alert, Button, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { type AskedPrecheck, type PrecheckInput, precheckQuery, readPayload } from './precheck-queries.ts';
import { PrecheckResult } from './precheck-result.tsx';

/**
 * Shows which endpoints would get an event of the type now, and why others would not. `eventType` is null while closed.
 */
export function PrecheckSheet({ eventType, onClose }: { eventType: EventType | null; onClose: () => void }) {
  return (
    <SideSheet opened={eventType !== null} onClose={onClose} title="Precheck">
      {eventType === null ? null : <Content key={eventType.id} eventType={eventType} />}
    </SideSheet>
  );
}

function Content({ eventType }: { eventType: EventType }) {
  const { workspace, environment } = usePlace();
  const [asked, setAsked] = useState<AskedPrecheck>({ body: { environmentId: environment.id }, checks: 0 });
  const { data, error, isFetching, refetch } = useQuery(precheckQuery(workspace.id, eventType.id, asked));
  const check = (part: Omit<PrecheckInput, 'environmentId'>) =>
    setAsked(({ checks }) => ({ body: { environmentId: environment.id, ...part }, checks: checks + 1 }));
  return (
    <Stack gap="md">
      <Text size="sm">
        The endpoints that would get an event <span className="mono">{eventType.name}</span> in {environment.name} now.
        Nothing is stored or sent.
      </Text>
      <PrecheckForm isChecking={isFetching} onCheck={check} />
      {error ? (
        <ErrorNotice title="Not checked" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <PrecheckResult precheck={data} eventTypeName={eventType.name} />
      )}
    </Stack>
  );
}

type FormProps = { isChecking: boolean; onCheck: (input: Omit<PrecheckInput, 'environmentId'>) => void };

/** The form for the customer and the payload. Both are optional. */
function PrecheckForm({ isChecking, onCheck }: FormProps) {
  const [applicationId, setApplicationId] = useState<string | null>(null);
  const { choices } = useCustomerChoices(applicationId ?? undefined);
  const [text, setText] = useState('');
  const payload = readPayload(text);
  const check = () => {
    if (payload.kind === 'invalid') return;
    onCheck({ ...(applicationId && { applicationId }), ...(payload.kind === 'json' && { payload: payload.value }) });
  };
  return (
    <Stack gap="sm">
      <SearchSelect
        label="Customer"
        placeholder="None"
        size="sm"
        clearable
        choices={choices}
        value={applicationId}
        onChange={setApplicationId}
      />
      <Textarea
        label="Payload"
        description="JSON. The filters of subscriptions read it."
        autosize
        minRows={3}
        maxRows={12}
        size="sm"
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        value={text}
        error={payload.kind === 'invalid' ? 'This is not JSON.' : undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button variant="default" w="fit-content" loading={isChecking} onClick={check}>
        Check
      </Button>
      {payload.kind === 'none' ? <Alert>Without a payload, an endpoint with a filter is undecided.</Alert> : null}
    </Stack>
  );
}
