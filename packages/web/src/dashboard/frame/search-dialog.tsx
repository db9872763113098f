import { ActionIcon, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { usePlace } from '../place.ts';
import { type Found, placeOfId } from './place-of-id.ts';

/** `/` finds: an event, a delivery or an endpoint by its id, an event type by its name. */
export function SearchDialog() {
  const [opened, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const goTo = useGoTo();
  useHotkeys([['/', open]]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = placeOfId(text);
    setUnknown(found.kind === 'nothing');
    if (found.kind === 'nothing') return;
    goTo(found);
    setText('');
    close();
  };
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={30} aria-label="Search" onClick={open}>
        <Icon name="search" />
      </ActionIcon>
      <Modal opened={opened} onClose={close} withCloseButton={false} title="Search">
        <form onSubmit={submit}>
          <TextInput
            data-autofocus
            aria-label="Search"
            placeholder="msg_…, dlv_…, ep_…, or the name of an event type"
            leftSection={<Icon name="search" />}
            value={text}
            error={isUnknown && 'This is no id of an event, a delivery or an endpoint, and no name of an event type.'}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setUnknown(false);
            }}
          />
        </form>
        <Text size="xs" c="dimmed" mt="sm">
          Paste an id and press Enter.
        </Text>
      </Modal>
    </>
  );
}

function useGoTo(): (found: Found) => void {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const params = { workspace: workspace.slug, environment: environment.slug };
  return (found) => {
    switch (found.kind) {
      case 'delivery':
        return void navigate({
          to: '/w/$workspace/$environment/deliveries/$deliveryId',
          params: { ...params, deliveryId: found.deliveryId },
        });
      case 'event':
        return void navigate({
          to: '/w/$workspace/$environment/events/$eventId',
          params: { ...params, eventId: found.eventId },
        });
      case 'endpoint':
        return void navigate({
          to: '/w/$workspace/$environment/endpoints/$endpointId',
          params: { ...params, endpointId: found.endpointId },
        });
      case 'event type':
        return void navigate({ to: '/w/$workspace/$environment/event-types', params, search: { search: found.name } });
      case 'nothing':
        return;
    }
  };
}
