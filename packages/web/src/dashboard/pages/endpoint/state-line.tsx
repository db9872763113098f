import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { EndpointMark } from '../../../components/endpoint-mark.tsx';
import { DEACTIVATED_WORDS } from '../../../components/endpoint-state.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { CustomerLink } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { endpointWithStatsQuery } from '../endpoints/endpoint-queries.ts';
import classes from './state-line.module.css';

/** The state and health of an endpoint, since when, and why. */
export function StateLine({ endpoint }: { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { data } = useQuery(endpointWithStatsQuery(workspace.id, endpoint.id));
  const stats = data?.stats;
  return (
    <div className={classes.line}>
      <div className={classes.parts}>
        <EndpointMark endpoint={endpoint} attempts={stats} />
        {endpoint.applicationId === null ? null : (
          <span>
            of <CustomerLink id={endpoint.applicationId} />
          </span>
        )}
        <span>{sinceOf(endpoint)}</span>
        {endpoint.type === 'playground' ? <span>playground: Posthorn answers</span> : null}
        {endpoint.description === '' ? null : <span>{endpoint.description}</span>}
      </div>
    </div>
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
