import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import { chosenSignature, getsRequests, type RequestDraft, selectedValue, signatureChoices } from './signatures.ts';

type Props = {
  draft: RequestDraft;
  onChange: (part: Partial<RequestDraft>) => void;
  endpoint: Parameters<typeof getsRequests>[0];
  disabled?: boolean;
};

/** Selects the format of the body and the kind of signature. */
export function FormChoice({ draft, onChange, endpoint, disabled = false }: Props) {
  return (
    <Group gap="lg" align="flex-start">
      <Stack gap={4}>
        <Text size="sm">{t('Body')}</Text>
        <SegmentedControl
          aria-label={t('Body')}
          disabled={disabled}
          value={draft.payloadFormat}
          onChange={(payloadFormat) => onChange({ payloadFormat })}
          data={[
            { value: 'raw', label: t('Unchanged') },
            { value: 'envelope', label: t('Envelope') },
            { value: 'cloudevents', label: 'CloudEvents' },
          ]}
        />
      </Stack>
      <Stack gap={4}>
        <Text size="sm">{t('Signature')}</Text>
        <Select
          aria-label={t('Signature')}
          w={260}
          allowDeselect={false}
          disabled={disabled}
          value={selectedValue(draft.signature)}
          onChange={(value) => {
            const signature = chosenSignature(value);
            if (signature !== null) onChange({ signature });
          }}
          data={signatureChoices(draft.signature, getsRequests(endpoint))}
        />
      </Stack>
    </Group>
  );
}
