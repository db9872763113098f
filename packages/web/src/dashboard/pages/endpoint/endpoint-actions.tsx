import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import type { Endpoint } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { RecoverSheet } from '../../recover/recover-sheet.tsx';
import { mayChange } from '../../role.ts';
import { DeleteEndpoint } from '../endpoints/delete-endpoint.tsx';
import { useToggleEndpoint } from '../endpoints/use-toggle-endpoint.ts';

const route = getRouteApi('/w/$workspace/$environment/endpoints/$endpointId');

/** Recover, which counts first; activate and deactivate, which can be undone; and delete, which asks first. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const toggle = useToggleEndpoint();
  const navigate = route.useNavigate();
  const [isDeleting, { open, close }] = useDisclosure();
  const [isRecovering, { open: openRecover, close: closeRecover }] = useDisclosure();
  if (!mayChange(place)) return null;
  const params = { workspace: place.workspace.slug, environment: place.environment.slug };
  return (
    <>
      <Button variant="default" onClick={openRecover}>
        Recover …
      </Button>
      <Button variant="default" onClick={() => toggle(endpoint)}>
        {endpoint.isActive ? 'Deactivate' : 'Activate'}
      </Button>
      <Button variant="subtle" color="red" onClick={open}>
        Delete …
      </Button>
      <RecoverSheet endpoint={isRecovering ? endpoint : null} onClose={closeRecover} />
      <DeleteEndpoint
        endpoint={isDeleting ? endpoint : null}
        onClose={close}
        onDeleted={() => void navigate({ to: '/w/$workspace/$environment/endpoints', params })}
      />
    </>
  );
}
