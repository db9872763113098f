/**
 * Selects the membership of a person who takes the workspace's alerts without confirming them: the address is proved,
 * so the person agreed to be a member, and has not stopped the alerts.
 */
export function takesAlerts(workspaceId: string, email: string) {
  return { workspaceId, alertsStoppedAt: null, user: { email, addressProvenAt: { not: null } } };
}
