import { PageHeader } from '../../../components/page-header.tsx';
import { WorkspaceAlerts } from './workspace-alerts.tsx';

/** The alert rules of the workspace. */
export function AlertsPage() {
  return (
    <>
      <PageHeader title="Alerts" line="Who is notified when something fails, recovers or ends." />
      <WorkspaceAlerts />
    </>
  );
}
