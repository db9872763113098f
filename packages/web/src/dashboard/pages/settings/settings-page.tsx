import { Stack } from '@mantine/core';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { Environments } from './environments.tsx';
import { PortalOrigins } from './portal-origins.tsx';
import { PortalWords } from './portal-words.tsx';
import { RequireSecondFactor } from './require-second-factor.tsx';
import { Retention } from './retention.tsx';
import { WorkspaceName } from './workspace-name.tsx';
import { WorkspaceUsage } from './workspace-usage.tsx';

/** The settings of the whole workspace. */
export function SettingsPage() {
  const { workspace } = usePlace();
  return (
    <>
      <PageHeader title="Settings" line={`The settings of the whole workspace. Plan: ${workspace.plan}.`} />
      <Stack gap="md" maw={860}>
        <WorkspaceName key={`name-${workspace.id}`} />
        <Environments />
        <RequireSecondFactor key={`second-factor-${workspace.id}`} />
        <WorkspaceUsage />
        <Retention key={`retention-${workspace.id}`} />
        <PortalOrigins key={`origins-${workspace.id}`} />
        <PortalWords key={`words-${workspace.id}`} />
      </Stack>
    </>
  );
}
