import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './bulk-queries.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';

/** Retries or cancels every delivery that the filters of the list match. */
export function BulkActions({ search }: { search: DeliveriesSearch }) {
  const [action, setAction] = useState<BulkAction | null>(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Retry or cancel all …</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAction('retry')}>Retry them …</Menu.Item>
          <Menu.Item onClick={() => setAction('cancel')}>Cancel the open ones …</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <BulkDialog action={action} search={search} onClose={() => setAction(null)} />
    </>
  );
}
