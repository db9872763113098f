import { Select } from '@mantine/core';
import { t } from '../language/language.ts';

export type EventTypeChoice = {
  types: readonly { id: string; name: string }[];
  /** The chosen type; undefined if none is chosen yet. */
  typeId: string | undefined;
  onChooseType: (id: string | null) => void;
};

/** Selects the event type whose example or events a form uses as its body. */
export function EventTypeSelect({
  types,
  typeId,
  onChooseType,
  placeholder,
}: EventTypeChoice & { placeholder: string }) {
  return (
    <Select
      label={t('Event type')}
      size="sm"
      searchable
      allowDeselect={false}
      placeholder={placeholder}
      data={types.map(({ id, name }) => ({ value: id, label: name }))}
      value={typeId ?? null}
      onChange={onChooseType}
    />
  );
}
