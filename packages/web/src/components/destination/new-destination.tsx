import { Stack, Text } from '@mantine/core';
import type { EndpointType } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { draftOf, fieldsOf, type SchemaDraft, valuesOf } from './schema-fields.ts';
import { SchemaForm } from './schema-form.tsx';
import { SetupText } from './setup-text.tsx';

/** Where the messages of a new endpoint go, and how to sign in there; undefined before something is typed. */
export type DestinationDraft = { settings: SchemaDraft; credentials: SchemaDraft };

/** Whether messages of the type go to a broker or a store. */
export function hasDestination(kind: Pick<EndpointType, 'configKey'> | undefined): boolean {
  return kind?.configKey === 'destination';
}

/** The empty form of a type. */
export function newDestination(kind: EndpointType): DestinationDraft {
  return {
    settings: draftOf(fieldsOf(kind.configSchema)),
    credentials: draftOf(fieldsOf(kind.credentialsSchema)),
  };
}

/** The part of the body of a create that the form gives. */
export function destinationBody(kind: EndpointType, { settings, credentials }: DestinationDraft) {
  const given = valuesOf(fieldsOf(kind.credentialsSchema), credentials) as Record<string, string>;
  return {
    config: { destination: valuesOf(fieldsOf(kind.configSchema), settings) },
    ...(Object.keys(given).length > 0 && { credentials: given }),
  };
}

type Props = {
  kind: EndpointType;
  draft: DestinationDraft;
  onChange: (draft: DestinationDraft) => void;
};

/** The form of a new endpoint's destination, drawn from the schemas of its type. */
export function NewDestination({ kind, draft, onChange }: Props) {
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {kind.description}
      </Text>
      <SetupText setup={kind.setup} />
      <SchemaForm
        fields={fieldsOf(kind.configSchema)}
        draft={draft.settings}
        onChange={(part) => onChange({ ...draft, settings: { ...draft.settings, ...part } })}
        of="config.destination"
      />
      <SchemaForm
        fields={fieldsOf(kind.credentialsSchema)}
        draft={draft.credentials}
        onChange={(part) => onChange({ ...draft, credentials: { ...draft.credentials, ...part } })}
        of="credentials"
      />
      <Text size="xs" c="dimmed">
        {t('Credentials are stored encrypted and never shown again.')} {kind.delivered}
      </Text>
    </Stack>
  );
}
