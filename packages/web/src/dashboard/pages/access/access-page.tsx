import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { isPart, PARTS } from './access-search.ts';
import { Agents } from './agents.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ManagementTokens } from './management-tokens.tsx';
import { Members } from './members.tsx';

const route = getRouteApi('/w/$workspace/$environment/access');

/** The API keys, tokens, members and agents with access to the workspace. */
export function AccessPage() {
  const { environment } = usePlace();
  const { part = 'keys' } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (value: string | null) => void navigate({ search: isPart(value) ? { part: value } : {} });
  return (
    <>
      <PageHeader
        title="Access"
        line={`API keys send events to ${environment.name}. Management tokens and members reach the whole workspace.`}
      />
      <Tabs value={part} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(PARTS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value} px="sm">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="keys">
          <ApiKeys />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <ManagementTokens />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="agents">
          <Agents />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
