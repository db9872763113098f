import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { PreviewDraft } from './request-preview.tsx';

export type FormDraft = Pick<PreviewDraft, 'format' | 'signature'>;

type Props = { draft: FormDraft; onChange: (part: Partial<FormDraft>) => void; disabled?: boolean };

/** The form of the body and the signatures. */
export function FormChoice({ draft, onChange, disabled = false }: Props) {
  return (
    <Group gap="lg" align="flex-start">
      <Stack gap={4}>
        <Text size="sm">Body</Text>
        <SegmentedControl
          aria-label="Body"
          disabled={disabled}
          value={draft.format}
          onChange={(format) => onChange({ format })}
          data={[
            { value: 'raw', label: 'Unchanged' },
            { value: 'envelope', label: 'Envelope' },
            { value: 'cloudevents', label: 'CloudEvents' },
          ]}
        />
      </Stack>
      <Stack gap={4}>
        <Text size="sm">Signature</Text>
        <SegmentedControl
          aria-label="Signature"
          disabled={disabled}
          value={draft.signature}
          onChange={(signature) => onChange({ signature })}
          data={[
            { value: 'standard', label: 'HMAC-SHA256' },
            { value: 'standard-ed25519', label: 'HMAC and Ed25519' },
          ]}
        />
      </Stack>
    </Group>
  );
}
