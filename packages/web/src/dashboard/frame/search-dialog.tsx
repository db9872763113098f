import { ActionIcon, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { isDialogOpen } from '../../components/is-dialog-open.ts';
import { MenuLink } from '../../components/links.tsx';
import { usePlace } from '../place.ts';
import { type Found, placeOfId } from './place-of-id.ts';

/** `/` finds a delivery, an event, an endpoint or a customer by its id, and looks for other texts in the lists. */
export function SearchDialog() {
  const [opened, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const openById = useOpenById();
  // The search leads away from the page, where a dialog may show a secret that is shown once.
  const openByKey = () => {
    if (!isDialogOpen()) open();
  };
  useHotkeys([
    ['/', openByKey],
    // Many keyboards have the slash above another key.
    ['shift+/', openByKey],
  ]);
  const found = placeOfId(text);
  const end = () => {
    setText('');
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (openById(found)) end();
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
            placeholder="An id, URL, event type, idempotency key or customer"
            leftSection={<Icon name="search" />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </form>
        {found.kind === 'text' ? (
          <Choices text={found.text} onChosen={end} />
        ) : (
          <Text size="xs" c="dimmed" mt="sm">
            Paste an id and press Enter.
          </Text>
        )}
      </Modal>
    </>
  );
}

/** The lists in which a text may be found. */
function Choices({ text, onChosen }: { text: string; onChosen: () => void }) {
  const from = '/w/$workspace/$environment';
  const look = { onClick: onChosen, style: { borderRadius: 6 } };
  return (
    <Stack gap={2} mt="sm">
      <MenuLink
        {...look}
        from={from}
        to="/w/$workspace/$environment/endpoints"
        search={{ search: text }}
        label={`Endpoints with “${text}”`}
        leftSection={<Icon name="endpoint" />}
      />
      <MenuLink
        {...look}
        from={from}
        to="/w/$workspace/$environment/event-types"
        search={{ search: text }}
        label={`Event types with “${text}”`}
        leftSection={<Icon name="type" />}
      />
      <MenuLink
        {...look}
        from={from}
        to="/w/$workspace/$environment/events"
        search={{ key: text }}
        label={`Events with the idempotency key “${text}”`}
        leftSection={<Icon name="event" />}
      />
      <MenuLink
        {...look}
        from={from}
        to="/w/$workspace/$environment/customers"
        search={{ search: text }}
        label={`Customers with “${text}”`}
        leftSection={<Icon name="customer" />}
      />
    </Stack>
  );
}

/** Opens the page of what was found by its id, in whichever environment it is; false for anything else. */
function useOpenById(): (found: Found) => boolean {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  return (found) => {
    switch (found.kind) {
      case 'delivery':
      case 'event':
      case 'endpoint': {
        void navigate({ to: '/w/$workspace/~/$id', params: { workspace: workspace.slug, id: found.id } });
        return true;
      }
      case 'customer': {
        const params = { workspace: workspace.slug, environment: environment.slug, applicationId: found.id };
        void navigate({ to: '/w/$workspace/$environment/customers/$applicationId', params });
        return true;
      }
      default:
        return false;
    }
  };
}
