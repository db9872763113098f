import { Alert, Button, Group, Text } from '@mantine/core';
import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { DEACTIVATED_WORDS } from '../../components/endpoint-state.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { rich, t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';

/** For an inactive endpoint: since when it gets no messages and why, and a button that activates it. */
export function InactiveEndpoint({ endpoint: { id, isActive, disabledAt, disabledReason } }: { endpoint: Endpoint }) {
  const readAgain = useReadAgain();
  const activate = api.useMutation('patch', '/api/portal/endpoints/{id}', { onSettled: readAgain });
  const mayActivate = useMay('endpoints:write');
  const mayRecover = useMay('deliveries:retry');
  if (isActive) return null;
  return (
    <Alert color="yellow" mb="md" title={t('It gets no messages.')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {disabledReason === null
            ? rich('It was deactivated {time}.', { time: <RelativeTime at={disabledAt} /> })
            : rich('It was deactivated {time} {reason}.', {
                time: <RelativeTime at={disabledAt} />,
                reason: DEACTIVATED_WORDS[disabledReason],
              })}{' '}
          {mayActivate && mayRecover ? t('Activate it when it works again, then recover what it missed.') : null}
        </Text>
        {mayActivate ? (
          <Button
            loading={activate.isPending}
            onClick={() => activate.mutate({ params: { path: { id } }, body: { isActive: true } })}
          >
            {t('Activate')}
          </Button>
        ) : null}
      </Group>
      {activate.error ? <ErrorNotice title={t('Nothing was changed')} error={activate.error} /> : null}
    </Alert>
  );
}
