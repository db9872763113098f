/**
 * The context of each sealed value: its row, and its use in the row. The API seals and the dispatcher opens with the
 * same context. A sealed value that is moved to another row or column does not open.
 */
export const sealContext = {
  payload: (eventId: string) => `event:${eventId}:payload`,
  schemaErrors: (eventId: string) => `event:${eventId}:schema_errors`,
  requestBody: (attemptId: string) => `attempt:${attemptId}:request_body`,
  responseHeaders: (attemptId: string) => `attempt:${attemptId}:response_headers`,
  responseBody: (attemptId: string) => `attempt:${attemptId}:response_body`,
  searchKey: (keyId: string) => `workspace_search_key:${keyId}`,
  signingSecret: (secretId: string) => `signing_secret:${secretId}`,
  signingKey: (secretId: string) => `signing_secret:${secretId}:private_key`,
  secretHeader: (endpointId: string, name: string) => `endpoint:${endpointId}:header:${name.toLowerCase()}`,
  endpointCredential: (endpointId: string, name: string) => `endpoint:${endpointId}:credential:${name}`,
  sourceCredential: (sourceId: string, name: string) => `source:${sourceId}:credential:${name}`,
  answerSecrets: (digest: Buffer) => `idempotent_answer:${digest.toString('hex')}`,
  challenge: (endpointId: string) => `challenge:${endpointId}`,
  alertTarget: (ruleId: string) => `alert_rule:${ruleId}:target`,
  authenticator: (authenticatorId: string) => `authenticator:${authenticatorId}:secret`,
  outgoingMail: (mailId: string) => `outgoing_mail:${mailId}`,
  stopAlerts: () => 'stop_alerts',
  idToken: (sessionId: string) => `session:${sessionId}:id_token`,
  agentSubjects: (environmentId: string) => `environment:${environmentId}:agent_subjects`,
  endpointPassword: (endpointId: string) => `endpoint:${endpointId}:password`,
};
