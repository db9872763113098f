import { ActionIcon, Box, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { isDialogOpen } from '../../components/is-dialog-open.ts';
import { usePlace } from '../place.ts';
import type { Finding } from './finding.ts';
import classes from './frame.module.css';
import { moveSelection } from './move-selection.ts';
import { placeOfId } from './place-of-id.ts';
import { searchWords } from './search-words.ts';
import { useFindings } from './use-findings.ts';

const TYPING_MS = 200;

/**
 * The search, opened with `/`. It finds customers, endpoints, event types, events and deliveries by their names,
 * addresses, keys and ids, and events by the values of their search keys. The first finding is selected, and Enter
 * opens it.
 */
export function SearchDialog() {
  const [opened, { open, close }] = useDisclosure();
  // The search leads away from the page, where a dialog may show a secret that is shown only once.
  const openByKey = () => {
    if (!isDialogOpen()) open();
  };
  useHotkeys([
    ['/', openByKey],
    // Many keyboards need Shift for the slash.
    ['shift+/', openByKey],
  ]);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={30} aria-label="Search" onClick={open}>
        <Icon name="search" />
      </ActionIcon>
      <Modal opened={opened} onClose={close} withCloseButton={false} title="Search">
        {opened ? <Search onOpened={close} /> : null}
      </Modal>
    </>
  );
}

function Search({ onOpened }: { onOpened: () => void }) {
  const [text, setText] = useState('');
  const [paused] = useDebouncedValue(text.trim(), TYPING_MS);
  // An id needs no search.
  const searched = placeOfId(text).kind === 'text' ? paused : text.trim();
  const [selected, setSelected] = useState(0);
  const [isWanted, setWanted] = useState(false);
  const listId = useId();
  const openFinding = useOpenFinding();
  const { findings, isReading, hasFailed } = useFindings(searched);
  const choose = (finding: Finding) => {
    openFinding(finding);
    onOpened();
  };
  const chosen = findings[Math.min(selected, findings.length - 1)];
  const isReady = searched === text.trim() && !isReading;
  const openWanted = useEffectEvent(() => {
    setWanted(false);
    if (chosen !== undefined) choose(chosen);
  });
  useEffect(() => {
    if (isWanted && isReady) openWanted();
  }, [isWanted, isReady]);
  const byKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'Enter') setWanted(true);
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
    event.preventDefault();
    setSelected((before) => moveSelection(before, key, findings.length));
  };
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Search"
        role="combobox"
        aria-expanded={findings.length > 0}
        aria-controls={listId}
        aria-activedescendant={findings.length > 0 ? `${listId}-${selected}` : undefined}
        placeholder="A customer, URL, event type, key, id or value"
        leftSection={<Icon name="search" />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setSelected(0);
          setWanted(false);
        }}
        onKeyDown={byKey}
      />
      <Findings {...{ findings, selected, listId }} onChoose={choose} />
      <Text size="xs" c="dimmed" mt="sm" role="status">
        {searchWords({ searched, isReading, hasFailed, count: findings.length })}
      </Text>
    </>
  );
}

type FindingsProps = {
  findings: readonly Finding[];
  selected: number;
  listId: string;
  onChoose: (finding: Finding) => void;
};

/** The findings, grouped under the names of their groups. */
function Findings({ findings, selected, listId, onChoose }: FindingsProps) {
  return (
    <Stack gap={2} mt="sm" role="listbox" id={listId} aria-label="Findings">
      {findings.map((finding, index) => (
        <Box key={finding.id} role="presentation">
          {findings[index - 1]?.group === finding.group ? null : (
            <Text size="xs" c="dimmed" px="xs" pt={6}>
              {finding.group}
            </Text>
          )}
          <UnstyledButton
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === selected}
            tabIndex={-1}
            className={classes.finding}
            onClick={() => onChoose(finding)}
          >
            <Icon name={finding.icon} />
            <span className={classes.findingName}>{finding.name}</span>
            <span className={classes.findingNote}>{finding.note}</span>
          </UnstyledButton>
        </Box>
      ))}
    </Stack>
  );
}

/** Opens the page of a finding, in any environment. */
function useOpenFinding(): (finding: Finding) => void {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const params = { workspace: workspace.slug, environment: environment.slug };
  return ({ to }) => {
    switch (to.kind) {
      case 'id':
        void navigate({ to: '/w/$workspace/~/$id', params: { workspace: workspace.slug, id: to.id } });
        return;
      case 'customer':
        void navigate({
          to: '/w/$workspace/$environment/customers/$applicationId',
          params: { ...params, applicationId: to.id },
        });
        return;
      case 'type':
        void navigate({ to: '/w/$workspace/$environment/event-types', params, search: { search: to.name } });
        return;
      case 'key':
        void navigate({ to: '/w/$workspace/$environment/events', params, search: { key: to.key } });
        return;
    }
  };
}
