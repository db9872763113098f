import { api, client } from '../../client/api.ts';
import { AlertRules, type AlertRulesApi } from '../../components/alerts/alert-rules.tsx';
import { CUSTOMER_EVENTS } from '../../components/alerts/alert-words.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { t } from '../../language/language.ts';
import { useSession } from '../session.ts';

/** The refetch interval of the list, so that it shows the result of a test. */
const EVERY_MS = 5_000;
const rulesQuery = () => api.queryOptions('get', '/api/portal/alert-rules');

/** The customer's own alert rules, which send email or Slack messages. */
export function AlertsPage() {
  const { sendsMail } = useSession();
  const rules = api.useQuery('get', '/api/portal/alert-rules', {}, { refetchInterval: EVERY_MS });
  return (
    <>
      <PageHeader title={t('Alerts')} line={t('Who is notified when your endpoints fail or recover.')} />
      <AlertRules
        api={OPERATIONS}
        rules={rules}
        channels={['email', 'slack']}
        events={CUSTOMER_EVENTS}
        sendsMail={sendsMail}
        mayChange
      />
    </>
  );
}

const at = (id: string) => ({ params: { path: { id } } });
const OPERATIONS: AlertRulesApi = {
  queryKey: rulesQuery().queryKey,
  create: ({ environmentId: _, ...body }) => client.POST('/api/portal/alert-rules', { body }),
  update: (id, body) => client.PATCH('/api/portal/alert-rules/{id}', { ...at(id), body }),
  remove: (id) => client.DELETE('/api/portal/alert-rules/{id}', at(id)),
  test: (id) => client.POST('/api/portal/alert-rules/{id}/test', at(id)),
};
