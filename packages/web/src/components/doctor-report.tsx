import { Alert, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DoctorReport as Report } from '../client/resources.ts';
import { rich, t } from '../language/language.ts';
import { CheckGlyph } from './check-glyph.tsx';
import { DurationText } from './duration-text.tsx';

type Check = Report['checks'][number];

const CHECK_WORDS: Record<Check['name'], string> = {
  dns: t('DNS name'),
  tcp: t('TCP connection'),
  tls: t('TLS handshake'),
  certificate: t('Certificate'),
  oauth2: t('Token (OAuth 2)'),
  http: t('HTTP answer'),
  redirect: t('No redirect'),
  latency: t('Speed'),
  signature: t('Refuses a wrong signature'),
  replay: t('Refuses an old request'),
  body: t('Short answer'),
  target: t('Exists'),
  publish: t('Takes a message'),
};

const VERDICTS = {
  healthy: { color: 'green', words: t('Nothing has to change.') },
  warning: { color: 'yellow', words: t('It works, with something to fix.') },
  broken: { color: 'red', words: t('Something is broken.') },
} as const;

/** True if the receiver fixes the check by verifying requests. A response may have failed for another reason. */
function isOfVerification({ name, advice }: Check): boolean {
  return name === 'signature' || name === 'replay' || (name === 'http' && advice?.includes('signature') === true);
}

/** Returns what the reader can do about a check, in addition to its advice. */
export type MoreAdvice = (check: Pick<Check, 'name' | 'detail' | 'advice'>) => string | null;

/** `code` links to the programs that verify a signature. */
type Props = { report: Report; code: ReactNode; more: MoreAdvice };

/** The verdict of an examination, and each check with advice. */
export function DoctorReport({ report, code, more }: Props) {
  const { color, words } = VERDICTS[report.verdict];
  return (
    <Stack gap="sm">
      <Alert color={color} title={words} />
      <Table aria-label={t('Checks')} verticalSpacing={8} layout="fixed">
        <Table.Tbody>
          {report.checks.map((check) => (
            <CheckRow key={check.name} check={check} code={code} more={more} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        {rich('It took {durationText} in total.', { durationText: <DurationText ms={report.durationMs} /> })}
      </Text>
    </Stack>
  );
}

function CheckRow({ check, code, more }: Omit<Props, 'report'> & { check: Check }) {
  const { name, outcome, detail, advice, durationMs } = check;
  return (
    <Table.Tr>
      <Table.Td w={26} valign="top">
        <CheckGlyph outcome={outcome} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {CHECK_WORDS[name]}
        </Text>
        {/* The service writes the texts of its checks in English. */}
        <Text size="sm" c="dimmed" lang="en">
          {detail}
        </Text>
        {advice === null ? null : (
          <Text size="sm">
            <span lang="en">{advice}</span> {more(check)} {isOfVerification(check) ? code : null}
          </Text>
        )}
      </Table.Td>
      <Table.Td w={90} valign="top" ta="right">
        {outcome === 'skipped' ? null : <DurationText ms={durationMs} />}
      </Table.Td>
    </Table.Tr>
  );
}
