import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { api } from '../../client/api.ts';
import { DoctorReport, type MoreAdvice } from '../../components/doctor-report.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { t } from '../../language/language.ts';
import { PortalLink } from '../portal-link.tsx';
import { useMay } from '../session.ts';
import { hrefOf } from '../view.ts';

/** Examines the endpoint, from its host name to its signature check, and advises on changes. */
export function Doctor({ endpointId }: { endpointId: string }) {
  const mayReadEndpoints = useMay('endpoints:read');
  const examine = api.useMutation('post', '/api/portal/endpoints/{id}/doctor');
  return (
    <Stack gap="md" component="section" aria-label={t('Examine your endpoint')}>
      <Group justify="space-between">
        <Title order={2}>{t('Examine your endpoint')}</Title>
        <Button
          variant="default"
          loading={examine.isPending}
          onClick={() => examine.mutate({ params: { path: { id: endpointId } } })}
        >
          {t('Examine')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('Checks with at most three requests, within a minute.')}
      </Text>
      {examine.error ? <ErrorNotice title={t('The endpoint was not examined')} error={examine.error} /> : null}
      {examine.data === undefined ? null : (
        <DoctorReport
          report={examine.data}
          more={moreAdvice}
          code={
            mayReadEndpoints ? (
              <PortalLink href={hrefOf('endpoints', endpointId, 'secret')}>
                {t('Code that verifies a request')}
              </PortalLink>
            ) : null
          }
        />
      )}
    </Stack>
  );
}

/** The customer cannot change the rate limit. The advice to search in is English in every language of the page. */
const moreAdvice: MoreAdvice = ({ advice }) =>
  advice?.includes('rate limit') ? t('The sender can set the limit.') : null;
