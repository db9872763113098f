import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { checkSignature, type SignatureCheck } from '../../../client/webhook-signature.ts';
import { StatusGlyph } from '../../../components/status-glyph.tsx';

/** The bytes of a body that a playground keeps. A longer body cannot be verified. */
const KEPT_BYTES = 65_536;

type Props = { headers: Readonly<Record<string, string>>; body: Uint8Array | null; secret: string | null };

/** Whether the endpoint's current secret signed the request. It is checked in this browser. */
export function SignatureNote({ headers, body, secret }: Props) {
  const isCheckable = secret !== null && body !== null && body.length < KEPT_BYTES && window.isSecureContext;
  const { data } = useQuery({
    queryKey: ['signature', headers['webhook-signature'], secret],
    queryFn: () => checkSignature(secret ?? '', { headers, body: body ?? new Uint8Array() }),
    enabled: isCheckable,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!isCheckable) {
    return (
      <Text size="sm" c="dimmed">
        The signature is not checked: {whyNot({ headers, body, secret })}
      </Text>
    );
  }
  return (
    <Text size="sm" role="status">
      {data === undefined ? '…' : <StatusGlyph status={data.kind === 'valid' ? 'delivered' : 'failed'} size={11} />}{' '}
      {data === undefined ? '' : words(data)}
    </Text>
  );
}

function words(check: SignatureCheck): string {
  switch (check.kind) {
    case 'valid':
      return 'The signature is genuine. It was checked in this browser.';
    case 'wrong':
      return 'No signature was made with the present secret. A request from before a rotation has one from an older secret.';
    case 'missing header':
      return `The signature cannot be checked without the header ${check.name}.`;
  }
}

function whyNot({ body, secret }: Props): string {
  if (secret === null) return 'your role may not see the secret.';
  if (body === null) return 'the body is not shown.';
  if (body.length >= KEPT_BYTES) return 'only the first 64 KiB of the body are kept.';
  return 'the browser does that only on https or localhost.';
}
