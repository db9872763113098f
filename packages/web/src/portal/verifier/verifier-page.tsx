import { Alert, Button, List, PasswordInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { nowMs } from '../../clock.ts';
import { type Choices, howToFindMore, optionsOf, useReadOn } from '../../components/choices.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReceiverCode } from '../../components/receiver-code.tsx';
import { SearchSelect } from '../../components/search-select.tsx';
import { t } from '../../language/language.ts';
import { useEndpoints } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { readRequest } from './read-request.ts';
import { receivedAtMs } from './received-at.ts';
import { type Check, verify } from './verify.ts';

type Draft = { headers: string; body: string; secret: string; receivedAt: string };

const EMPTY: Draft = { headers: '', body: '', secret: '', receivedAt: '' };
const MONO = { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } };

/** Checks a pasted request as a receiver would, and shows which part fails. Pasted data never leaves the page. */
export function VerifierPage() {
  const [draft, setDraft] = useState(EMPTY);
  const [language, setLanguage] = useState('TypeScript');
  const { secrets, choices } = useSecrets();
  const check = useMutation({ mutationFn: () => verifyDraft(draft, secrets) });
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }));
    check.reset();
  };
  return (
    <>
      <PageHeader
        title={t('Verifier')}
        line={t(
          'Paste a request that your code refuses. It is checked in this browser; neither it nor the secret is sent.',
        )}
      />
      <Stack gap="xl">
        <Stack gap="md" maw={720}>
          <RequestFields draft={draft} onChange={change} />
          <SecretFields draft={draft} secrets={secrets} choices={choices} onChange={change} />
          <Button
            size="sm"
            w="fit-content"
            loading={check.isPending}
            disabled={Number.isNaN(receivedAtMs(draft.receivedAt, nowMs()))}
            onClick={() => check.mutate()}
          >
            {t('Check request')}
          </Button>
          {check.error ? <ErrorNotice title={t('The request could not be checked')} error={check.error} /> : null}
          {check.data === undefined ? null : <Checks checks={check.data} />}
        </Stack>
        <Stack gap="sm" component="section" aria-label={t('Code that verifies it')}>
          <Title order={2}>{t('Code that verifies it')}</Title>
          <ReceiverCode language={language} onChoose={setLanguage} />
        </Stack>
      </Stack>
    </>
  );
}

type FieldProps = { draft: Draft; onChange: (part: Partial<Draft>) => void };

function RequestFields({ draft, onChange }: FieldProps) {
  const area = { autosize: true, minRows: 4, maxRows: 16, spellCheck: false, styles: MONO };
  return (
    <>
      <Textarea
        label={t('Headers')}
        description={t('Lines of name: value, or the whole request with its body.')}
        {...area}
        value={draft.headers}
        onChange={({ currentTarget }) => onChange({ headers: currentTarget.value })}
      />
      <Textarea
        label={t('Body')}
        description={t('Exactly as it came.')}
        {...area}
        value={draft.body}
        onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
      />
      <TextInput
        label={t('Received at')}
        description={t('UTC, such as 2026-11-21T09:30:00Z; now when it is empty.')}
        value={draft.receivedAt}
        error={Number.isNaN(receivedAtMs(draft.receivedAt, nowMs())) ? t('This is not a time.') : undefined}
        onChange={({ currentTarget }) => onChange({ receivedAt: currentTarget.value })}
      />
    </>
  );
}

type SecretProps = FieldProps & { secrets: ReadonlyMap<string, string>; choices: Choices };

function SecretFields({ draft, secrets, choices, onChange }: SecretProps) {
  return (
    <>
      <PasswordInput
        label={t('Secret or public key')}
        placeholder={t('whsec_… or whpk_…')}
        autoComplete="off"
        value={draft.secret}
        onChange={({ currentTarget }) => onChange({ secret: currentTarget.value.trim() })}
      />
      {secrets.size === 0 ? null : (
        <SearchSelect
          label={t('or the one of')}
          size="sm"
          placeholder={t('Your endpoint')}
          choices={choices}
          value={secrets.has(draft.secret) ? draft.secret : null}
          onChange={(secret) => onChange({ secret: secret ?? '' })}
        />
      )}
      <Text size="xs" c="dimmed">
        {t(
          'It stays on this page and is forgotten when you leave it. A secret checks the v1 signatures, a public key the v1a ones.',
        )}
      </Text>
    </>
  );
}

/** The secrets that the session may see and the public keys, each with its endpoint's address and its kind. */
function useSecrets(): { secrets: ReadonlyMap<string, string>; choices: Choices } {
  const list = useEndpoints(false, useMay('endpoints:read'));
  const [text, setText] = useState('');
  useReadOn(text !== '', list);
  const endpoints = list.data?.pages.flatMap((page) => page.endpoints) ?? [];
  const secrets = new Map(
    endpoints.flatMap(({ url, secret, publicKey }): [string, string][] => [
      ...(secret === null ? [] : [[secret, url] satisfies [string, string]]),
      ...(publicKey === null ? [] : [[publicKey, t('{url} (public key)', { url })] satisfies [string, string]]),
    ]),
  );
  const options = optionsOf(
    [...secrets].map(([value, label]) => ({ value, label })),
    undefined,
    list.hasNextPage ? howToFindMore(list, PASTE_SECRET) : undefined,
  );
  const none = list.isFetching ? t('Searching …') : t('None of your endpoints. {hint}', { hint: PASTE_SECRET });
  return { secrets, choices: { options, onSearch: setText, isSearched: false, none } };
}

const PASTE_SECRET = t('Paste the secret above.');

async function verifyDraft(draft: Draft, otherSecrets: ReadonlyMap<string, string>) {
  if (!window.isSecureContext) throw new Error(t('The browser checks signatures only on https or localhost.'));
  const { headers, body } = readRequest(draft.headers);
  const { secret, receivedAt } = draft;
  const atMs = receivedAtMs(receivedAt, nowMs());
  return verify({ headers, body: draft.body || (body ?? ''), secret, otherSecrets, receivedAtMs: atMs });
}

const GLYPHS: Record<Check['outcome'], string> = { pass: '✓', fail: '✕', skipped: '–' };
const INKS: Record<Check['outcome'], string> = { pass: 'delivered', fail: 'failed', skipped: 'pending' };
const OUTCOMES: Record<Check['outcome'], string> = { pass: t('Passed'), fail: t('Failed'), skipped: t('Skipped') };

/** The result of each step of the check, with the verdict above. */
function Checks({ checks }: { checks: readonly Check[] }) {
  const isGenuine = checks.every(({ outcome }) => outcome === 'pass');
  return (
    <Stack gap="sm" component="section" aria-label={t('Result')}>
      <Alert
        color={isGenuine ? 'green' : 'red'}
        title={isGenuine ? t('The request is genuine.') : t('A receiver refuses this request.')}
      />
      <List spacing="sm" size="sm" listStyleType="none">
        {checks.map(({ name, outcome, said }) => (
          <List.Item
            key={name}
            icon={
              <span role="img" aria-label={OUTCOMES[outcome]} style={{ color: `var(--${INKS[outcome]}-ink)` }}>
                {GLYPHS[outcome]}
              </span>
            }
          >
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {said}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
