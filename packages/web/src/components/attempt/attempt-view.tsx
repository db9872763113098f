import { Alert, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Attempt } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { addressOfAttempt } from '../destination/address-of.ts';
import { DurationText } from '../duration-text.tsx';
import { HeaderTable } from '../header-table.tsx';
import { Id } from '../id.tsx';
import { JsonView } from '../json-view.tsx';
import { messageText } from '../pull/message-text.ts';
import type { ReaderTexts } from '../reader-texts.ts';
import { RelativeTime } from '../relative-time.tsx';
import { durationWords } from '../time-words.ts';
import { verdictOf } from './advice.ts';
import classes from './waterfall.module.css';
import { waterfallPhases } from './waterfall-phases.ts';

/** One attempt: the verdict with advice, how long each phase took, the request and the response. */
export function AttemptView({ attempt, texts }: { attempt: Attempt; texts: ReaderTexts }) {
  const { said, advice } = verdictOf(attempt, texts);
  return (
    <Stack gap="md" component="section" aria-label={t('Attempt {number}', { number: attempt.number })}>
      <Group gap="md" align="baseline">
        <Title order={2}>{t('Attempt {number}', { number: attempt.number })}</Title>
        <Text component="div" size="sm" c="dimmed">
          <RelativeTime at={attempt.startedAt} /> · <DurationText ms={attempt.durationMs} />
          {attempt.remoteAddress === null ? null : (
            <>
              {' '}
              · <Id value={attempt.remoteAddress} />
            </>
          )}
          {attempt.reconnected ? t(' · the kept connection had ended, so the request was sent over a new one') : null}
        </Text>
      </Group>
      <Alert color={attempt.outcome === 'success' ? 'green' : 'red'} variant="light" title={said}>
        {advice === '' ? null : <Text size="sm">{advice}</Text>}
      </Alert>
      <Waterfall attempt={attempt} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Request attempt={attempt} />
        <Response attempt={attempt} />
      </SimpleGrid>
    </Stack>
  );
}

function Request({ attempt }: { attempt: Attempt }) {
  return (
    <Stack gap="xs" miw={0}>
      <Title order={3}>{t('Request')}</Title>
      <Text component="div" size="sm">
        <span className="mono">POST</span> <Id value={addressOfAttempt(attempt.url)} />
      </Text>
      <HeaderTable headers={attempt.requestHeaders} />
      {attempt.requestBody === null || attempt.requestBody === '' ? null : (
        <JsonView body={messageText(attempt.requestBody)} what={t('the body')} />
      )}
    </Stack>
  );
}

function Response({ attempt }: { attempt: Attempt }) {
  const { responseStatus, responseHeaders, responseBody, responseTruncated, responseHidden, acknowledgement } = attempt;
  return (
    <Stack gap="xs" miw={0}>
      <Title order={3}>{t('Answer')}</Title>
      {responseStatus === null && acknowledgement !== null ? null : (
        <Text size="sm">
          {responseStatus === null ? t('No answer came back.') : <span className="mono">{responseStatus}</span>}
        </Text>
      )}
      {acknowledgement === null ? null : <HeaderTable headers={acknowledgement} />}
      {responseHeaders === null ? null : <HeaderTable headers={responseHeaders} />}
      {responseBody === null || responseBody === '' ? null : (
        <JsonView body={responseBody} what={t('the answer’s body')} />
      )}
      {responseHidden && responseStatus !== null ? (
        <Text size="xs" c="dimmed">
          {t('Headers and body are hidden: they may repeat the payload, which you may not see.')}
        </Text>
      ) : null}
      {responseTruncated ? (
        <Text size="xs" c="dimmed">
          {t('The body is longer than the part that is kept.')}
        </Text>
      ) : null}
    </Stack>
  );
}

/** How long each phase of an attempt took: one bar for each, at its place in the whole. */
function Waterfall({ attempt }: { attempt: Attempt }) {
  const phases = waterfallPhases(attempt);
  const whole = phases.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <dl className={classes.phases} aria-label={t('Where the time went')}>
      {phases.map(({ name, ms, startMs }) => (
        <div key={name} className={classes.phase}>
          <dt className="soft">{name}</dt>
          <dd className="mono">{durationWords(ms)}</dd>
          <span className={classes.track} aria-hidden="true">
            <span
              className={classes.bar}
              style={{ left: `${(startMs / whole) * 100}%`, width: `${(ms / whole) * 100}%` }}
            />
          </span>
        </div>
      ))}
    </dl>
  );
}
