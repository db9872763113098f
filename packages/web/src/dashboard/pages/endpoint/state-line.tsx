import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { DEACTIVATED_WORDS, EndpointState } from '../../../components/endpoint-state.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';

/** State and health, with since when and why. */
export function StateLine({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Group gap="sm" wrap="wrap">
      <EndpointState endpoint={endpoint} />
      <span>· {sinceOf(endpoint)}</span>
      {endpoint.type === 'playground' ? <span>· playground: Posthorn answers</span> : null}
      {endpoint.description === '' ? null : <span>· {endpoint.description}</span>}
    </Group>
  );
}

function sinceOf({ isActive, disabledAt, disabledReason, createdAt }: Endpoint): ReactNode {
  if (isActive) {
    return (
      <>
        active, created <RelativeTime at={createdAt} />
      </>
    );
  }
  return (
    <>
      deactivated <RelativeTime at={disabledAt} /> {disabledReason === null ? '' : DEACTIVATED_WORDS[disabledReason]}
    </>
  );
}
