import { Alert, Button, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toString as drawQrCode } from 'qrcode';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { hasPasskeys, makePasskey, namelessPage } from '../../../client/passkeys.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { NeedsName } from '../../../components/needs-name.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { saveFile } from '../../../components/save-file.ts';
import { Setting } from '../settings/setting.tsx';
import { secondFactorQuery } from './account-queries.ts';
import { type Confirmed, ConfirmedForm } from './confirmed-form.tsx';
import { useSignInChange } from './use-sign-in-change.ts';

const SENTENCE =
  'After the password, each login asks for a code of an app or for a passkey. A stolen password is then not enough.';

/** The current step: none, a change that may need the password, or something that is shown only once. */
type Step =
  | { kind: 'none' }
  | { kind: 'change'; change: Change; passkey?: Passkey }
  | { kind: 'scan'; secret: string; image: string }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'done' };

const chosen = (change: Change, passkey?: Passkey): Step => ({ kind: 'change', change, ...(passkey && { passkey }) });

/**
 * Sets up, replaces and removes the user's second factor. `onDone` is called after a setup, once its codes were shown.
 */
export function SecondFactor({ onDone }: { onDone?: () => void }) {
  const factor = useQuery(secondFactorQuery());
  const [step, setStep] = useState<Step>({ kind: 'none' });
  const finish = () => {
    setStep({ kind: 'none' });
    onDone?.();
  };
  // `done`: a passkey was added beside another second factor, so there are no codes to show.
  const next = (then: Step) => (then.kind === 'done' ? finish() : setStep(then));
  return (
    <Setting title="Second factor" sentence={SENTENCE}>
      {factor.error ? <ErrorNotice title="The second factor could not be read" error={factor.error} /> : null}
      {step.kind === 'none' && factor.data ? (
        <Present factor={factor.data} onChoose={(change, passkey) => setStep(chosen(change, passkey))} />
      ) : null}
      {step.kind === 'change' ? <Confirm {...step} onNext={next} onClose={() => setStep({ kind: 'none' })} /> : null}
      {step.kind === 'scan' ? (
        <Scan
          {...step}
          onConfirmed={(codes) => (codes === null ? finish() : setStep({ kind: 'codes', codes }))}
          onClose={() => setStep({ kind: 'none' })}
        />
      ) : null}
      {step.kind === 'codes' ? <RecoveryCodes codes={step.codes} onKept={finish} /> : null}
    </Setting>
  );
}

type Passkey = { id: string; name: string; createdAt: string };
type Factor = {
  authenticator?: { createdAt: string } | null;
  passkeys: readonly Passkey[];
  recoveryCodesLeft: number;
};

function Present({ factor, onChoose }: { factor: Factor; onChoose: (change: Change, passkey?: Passkey) => void }) {
  const { authenticator, passkeys, recoveryCodesLeft } = factor;
  const hasOne = Boolean(authenticator) || passkeys.length > 0;
  const nameless = namelessPage(window.location.href);
  return (
    <Stack gap="sm">
      {authenticator ? (
        <Group gap="sm" justify="space-between">
          <Text size="sm">
            Authenticator app, set up <RelativeTime at={authenticator.createdAt} />
          </Text>
          <Button variant="default" size="compact-xs" onClick={() => onChoose('remove')}>
            Remove the app
          </Button>
        </Group>
      ) : null}
      {passkeys.map((passkey) => (
        <Group key={passkey.id} gap="sm" justify="space-between">
          <Text size="sm">
            Passkey “{passkey.name}”, set up <RelativeTime at={passkey.createdAt} />
          </Text>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Remove the passkey ${passkey.name}`}
            onClick={() => onChoose('removePasskey', passkey)}
          >
            Remove
          </Button>
        </Group>
      ))}
      {hasOne ? (
        <Text size="sm">
          {recoveryCodesLeft} of 10 recovery codes {recoveryCodesLeft === 1 ? 'is' : 'are'} left.
        </Text>
      ) : null}
      <Group gap="sm">
        <Button variant={hasOne ? 'default' : 'filled'} size="sm" onClick={() => onChoose('start')}>
          {authenticator ? 'Set up another app' : 'Set up an authenticator app'}
        </Button>
        {hasPasskeys() && nameless === undefined ? (
          <Button variant="default" size="sm" onClick={() => onChoose('addPasskey')}>
            Add a passkey
          </Button>
        ) : null}
        {hasOne ? (
          <Button variant="default" size="sm" onClick={() => onChoose('renew')}>
            New recovery codes
          </Button>
        ) : null}
      </Group>
      {nameless === undefined ? null : <NeedsName {...nameless} />}
    </Stack>
  );
}

const LAST = 'Without another second factor the password alone logs you in, and the recovery codes are deleted.';

/**
 * For each change: the request, and the step after it. `text` is the name of a new passkey, or the id of one to remove.
 */
const CHANGES = {
  start: {
    sentence:
      'You need an authenticator app on your phone. If you have one already, it works until you confirm the new one.',
    action: 'Continue',
    run: async (body: Confirmed): Promise<Step> => {
      const { data } = await client.POST('/api/auth/second-factor/authenticator', { body });
      return { kind: 'scan', secret: data?.secret ?? '', image: await qrImage(data?.uri ?? '') };
    },
  },
  renew: {
    sentence: 'Your earlier recovery codes no longer work.',
    action: 'Make new recovery codes',
    run: async (body: Confirmed): Promise<Step> => {
      const { data } = await client.POST('/api/auth/second-factor/recovery-codes', { body });
      return { kind: 'codes', codes: data?.recoveryCodes ?? [] };
    },
  },
  remove: {
    sentence: LAST,
    action: 'Remove the app',
    run: async (body: Confirmed): Promise<Step> => {
      await client.POST('/api/auth/second-factor/authenticator/remove', { body });
      return { kind: 'none' };
    },
  },
  addPasskey: {
    sentence: 'A passkey is in your device, in your password manager or on a security key.',
    action: 'Add the passkey',
    run: async (body: Confirmed, name: string): Promise<Step> => {
      const begun = await client.POST('/api/auth/second-factor/passkeys/options', { body });
      const passkey = await makePasskey(begun.data?.options ?? {});
      const { data } = await client.POST('/api/auth/second-factor/passkeys', { body: { name, passkey } });
      const codes = data?.recoveryCodes;
      return codes ? { kind: 'codes', codes } : { kind: 'done' };
    },
  },
  removePasskey: {
    sentence: LAST,
    action: 'Remove the passkey',
    run: async (body: Confirmed, passkeyId: string): Promise<Step> => {
      const params = { path: { passkeyId } };
      await client.POST('/api/auth/second-factor/passkeys/{passkeyId}/remove', { params, body });
      return { kind: 'none' };
    },
  },
};
type Change = keyof typeof CHANGES;

/** The QR code keeps its colours in the dark theme: cameras read dark on light. */
async function qrImage(uri: string): Promise<string> {
  return `data:image/svg+xml,${encodeURIComponent(await drawQrCode(uri, { type: 'svg', margin: 2 }))}`;
}

type ConfirmProps = { change: Change; passkey?: Passkey; onNext: (step: Step) => void; onClose: () => void };

function Confirm({ change, passkey, onNext, onClose }: ConfirmProps) {
  const { run, ...words } = CHANGES[change];
  const [name, setName] = useState('');
  return (
    <ConfirmedForm
      {...words}
      isRemoval={change.startsWith('remove')}
      run={(body) => run(body, passkey?.id ?? name)}
      onDone={onNext}
      onClose={onClose}
    >
      {change === 'addPasskey' ? (
        <FormField of="name">
          <TextInput
            label="Name of the passkey"
            description="Such as the device that has it."
            required
            autoFocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </FormField>
      ) : null}
    </ConfirmedForm>
  );
}

type ScanProps = {
  secret: string;
  image: string;
  onConfirmed: (codes: readonly string[] | null) => void;
  onClose: () => void;
};

function Scan({ secret, image, onConfirmed, onClose }: ScanProps) {
  const [code, setCode] = useState('');
  const confirm = useSignInChange(
    async () => {
      const { data } = await client.POST('/api/auth/second-factor/authenticator/confirm', { body: { code } });
      return data?.recoveryCodes ?? null;
    },
    { onSuccess: onConfirmed },
  );
  return (
    <Form error={confirm.error} onSubmit={() => confirm.mutate(undefined)}>
      <Stack gap="sm" maw={420} align="flex-start">
        <Text size="sm">Scan this image with the app, or type the secret into it.</Text>
        <Image src={image} alt="QR code of the secret" w={200} h={200} radius="sm" bg="white" />
        <CodeBlock text={secret} what="the secret" />
        <FormField of="code">
          <TextInput
            w="100%"
            label="Code"
            description="The six digits that the app shows now."
            ff="monospace"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        </FormField>
        <FormRefusal title="The app was not confirmed" />
        <Group gap="sm">
          <Button type="submit" size="sm" loading={confirm.isPending}>
            Confirm
          </Button>
          <Button variant="default" size="sm" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = codes.join('\n');
  return (
    <Stack gap="sm" maw={420}>
      <Alert color="yellow" title="Save your recovery codes now">
        <Text size="sm">
          They are not shown again. When you do not have your phone, each of them logs you in once. Keep them where only
          you can read them, apart from your phone.
        </Text>
      </Alert>
      <CodeBlock text={text} what="the recovery codes" />
      <Group gap="sm">
        <Button size="sm" onClick={onKept}>
          I have kept them
        </Button>
        <Button
          variant="default"
          size="sm"
          onClick={() => saveFile('posthorn-recovery-codes.txt', 'text/plain', `${text}\n`)}
        >
          Save as a file
        </Button>
      </Group>
    </Stack>
  );
}
