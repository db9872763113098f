import type { MailContent } from '@posthorn/mail/compose';

// What each mail says. Alerts themselves are in the dispatcher.

type Invitation = {
  baseUrl: string;
  workspaceName: string;
  invitedBy: string;
  token: string;
  /** How people sign in: with a password, with a provider of this name, or with either. */
  passwordLogin: boolean;
  provider: string | null;
};

/** The link that accepts an invitation, good for one use within 7 days. A sign-in with the provider accepts it, too. */
export function invitationMail(invitation: Invitation): MailContent {
  const { baseUrl, workspaceName, invitedBy, token, passwordLogin, provider } = invitation;
  const link =
    'Choose a password to accept. If you have an account already, enter its password. The link works once, within 7 days.';
  const signIn = `sign in with ${provider} within 7 days, if your address there is the one of this mail.`;
  return {
    subject: `You are invited to ${workspaceName} on Posthorn`,
    workspaceName,
    paragraphs: [
      `${invitedBy} invites you to the workspace “${workspaceName}” on Posthorn, which delivers its webhooks.`,
      ...(passwordLogin ? [link] : []),
      ...(provider === null ? [] : [`${passwordLogin ? 'Or' : 'To accept,'} ${signIn}`]),
    ],
    action: passwordLogin
      ? { label: 'Accept the invitation', url: linkOf(baseUrl, token) }
      : { label: 'Sign in', url: `${baseUrl}/login` },
    footer: 'If you do not know this workspace, ignore this mail: nothing happens unless you accept.',
  };
}

/** The link that sets a new password, good for one use within a day. */
export function passwordResetMail({ baseUrl, token }: { baseUrl: string; token: string }): MailContent {
  return {
    subject: 'Set a new Posthorn password',
    paragraphs: [
      'Somebody asked for a new password for the Posthorn account of this address.',
      'The link works once, within 24 hours. Links of earlier mails no longer work. Your sessions end when the password is set.',
    ],
    action: { label: 'Set a new password', url: linkOf(baseUrl, token) },
    footer: 'If it was not you, ignore this mail: your password stays as it is.',
  };
}

type Confirmation = { baseUrl: string; workspaceName: string; ruleName: string; token: string };

/** To an address that somebody named as the target of an alert rule. */
export function confirmAlertsMail({ baseUrl, workspaceName, ruleName, token }: Confirmation): MailContent {
  return {
    subject: `Do you want alerts of ${workspaceName}?`,
    workspaceName,
    paragraphs: [
      `Somebody at “${workspaceName}” wants Posthorn to mail you when webhook endpoints fail or recover (the alert rule “${ruleName}”).`,
      'You get nothing unless you confirm. The link works once, within 7 days.',
    ],
    action: { label: 'Confirm', url: linkOf(baseUrl, token, 'confirm-alerts') },
    footer: 'If you do not know this workspace, ignore this mail.',
  };
}

export function testAlertMail({ workspaceName, ruleName }: { workspaceName: string; ruleName: string }): MailContent {
  return {
    subject: `Test of the alert rule ${ruleName}`,
    workspaceName,
    paragraphs: [`This is a test of the alert rule “${ruleName}”. Nothing is wrong.`],
    footer: `You get this mail because you are the target of the alert rule “${ruleName}” of ${workspaceName}.`,
  };
}

/** The token stands in the fragment, which a browser does not send. */
function linkOf(baseUrl: string, token: string, page = 'set-password'): string {
  return `${baseUrl}/${page}#token=${token}`;
}
