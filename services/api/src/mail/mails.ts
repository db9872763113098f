import { type MailContent, quoted } from '@posthorn/mail/compose';
import type { EndedWays } from '../account/ways-in.ts';

// The texts of the mails. Alerts themselves are in the dispatcher.

type Invitation = {
  baseUrl: string;
  workspaceName: string;
  invitedBy: string;
  token: string;
  /** How people sign in: with a password, with a provider of this name, or with either. */
  passwordLogin: boolean;
  provider: string | null;
};

/**
 * The mail with the link that accepts an invitation, good for one use within 7 days. A sign-in with the provider
 * accepts it, too.
 */
export function invitationMail(invitation: Invitation): MailContent {
  const { baseUrl, workspaceName, invitedBy, token, passwordLogin, provider } = invitation;
  const link =
    'Choose a password to accept. If you have an account already, enter its password. The link works once, within 7 days.';
  const signIn = `sign in with ${provider} within 7 days, if your address there is the one of this mail.`;
  return {
    subject: `You are invited to ${quoted(workspaceName)} on Posthorn`,
    workspaceName,
    paragraphs: [
      `${quoted(invitedBy)} invites you to the workspace ${quoted(workspaceName)} on Posthorn, which delivers its webhooks.`,
      ...(passwordLogin ? [link] : []),
      ...(provider === null ? [] : [`${passwordLogin ? 'Or' : 'To accept,'} ${signIn}`]),
    ],
    action: passwordLogin
      ? { label: 'Accept the invitation', url: linkOf(baseUrl, token) }
      : { label: 'Sign in', url: `${baseUrl}/login` },
    footer: 'If you do not know this workspace, ignore this mail: nothing happens unless you accept.',
  };
}

type MadeOwner = { baseUrl: string; workspaceName: string; by: string };

/** The mail to a member who has become an owner of the workspace without being asked. */
export function madeOwnerMail({ baseUrl, workspaceName, by }: MadeOwner): MailContent {
  return {
    subject: `You are an owner of ${quoted(workspaceName)} on Posthorn now`,
    workspaceName,
    paragraphs: [
      `${quoted(by)} has made you an owner of the workspace ${quoted(workspaceName)}. It counts among the workspaces that you own.`,
      'If you do not want this, change your role in the members of the workspace.',
    ],
    action: { label: 'Sign in', url: `${baseUrl}/login` },
    footer: 'You get this mail because it concerns your account. It cannot be switched off.',
  };
}

/** The mail with the link that sets a new password, good for one use within a day. */
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

/** A credential that goes on working, as the mail names it. */
export type StayingCredential = { kind: string; name: string; preview: string; workspaceName: string };

type AccessEnded = {
  baseUrl: string;
  /** Why access has ended: the first proof of the address, or a link of the operator. */
  by: 'proof' | 'password_link' | 'sign_in_link';
  ended: EndedWays;
  staying: { named: readonly StayingCredential[]; count: number };
  memberships: { named: readonly { role: string; workspaceName: string }[]; count: number };
};

const WHY = {
  proof: 'You have proved for the first time that the Posthorn account of this address is yours.',
  password_link: 'The password of the Posthorn account of this address was set with a link of the operator.',
  sign_in_link:
    'Somebody has signed in to the Posthorn account of this address with a link of the operator, and its password has ended.',
};

/** Tells which ways to sign in have ended, and which credentials and memberships stay. */
export function accessEndedMail({ baseUrl, by, ended, staying, memberships }: AccessEnded): MailContent {
  const rest = staying.count - staying.named.length;
  const items = staying.named.map(
    ({ kind, name, preview, workspaceName }) => `${kind} ${quoted(name)} (${preview}) of ${quoted(workspaceName)}`,
  );
  return {
    subject: 'Earlier ways to sign in to your Posthorn account have ended',
    paragraphs: [
      `${WHY[by]} Somebody else may have made the account, so every way to sign in that was there before has ended: ${endedWords(ended)}, and all links that were not mailed to you. Set up your second factor again if you had one.`,
      'If anybody else knows your password, change it on your account page.',
      ...membershipWords(memberships),
      staying.count === 0
        ? 'No management token or API key is left that was made with the account.'
        : 'These management tokens and API keys go on working. Delete the ones that you do not know:',
    ],
    ...(items.length > 0 && { items: rest > 0 ? [...items, `and ${rest.toLocaleString('en')} more`] : items }),
    action: { label: 'Sign in', url: `${baseUrl}/login` },
    footer: 'You get this mail because it concerns your account. It cannot be switched off.',
  };
}

/** The memberships that stay. The address takes no alerts of these workspaces, unless the person confirms a rule. */
function membershipWords({ named, count }: AccessEnded['memberships']): string[] {
  if (count === 0) return [];
  const names = named.map(({ role, workspaceName }) => `${quoted(workspaceName)} (${role})`).join(', ');
  const rest = count - named.length;
  const more = rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '';
  return [
    `The account is a member of ${names}${more}. You get no alerts of them unless you confirm a rule. If you do not know one, ask its owner to remove you.`,
  ];
}

function endedWords({ sessions, identities, authenticators, passkeys }: EndedWays): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  const parts = [
    counted(sessions, 'session'),
    `${counted(identities, 'connection')} with the sign-in provider`,
    counted(authenticators, 'authenticator app'),
    counted(passkeys, 'passkey'),
  ];
  return parts.join(', ');
}

/** Tells of five wrong codes in one sign-in, by somebody who has given the password. */
export function secondFactorGuessedMail({ baseUrl }: { baseUrl: string }): MailContent {
  return {
    subject: 'Somebody knows your Posthorn password',
    paragraphs: [
      'Somebody has signed in with your password, and then gave five wrong codes of your second factor. They are not signed in.',
      'If it was not you, set a new password now. You get at most one such mail a day.',
    ],
    action: { label: 'Set a new password', url: `${baseUrl}/forgot-password` },
    footer: 'You get this mail because it concerns your account. It cannot be switched off.',
  };
}

type Confirmation = { baseUrl: string; workspaceName: string; ruleName: string; token: string };

/** The mail to an address that somebody named as the target of an alert rule. */
export function confirmAlertsMail({ baseUrl, workspaceName, ruleName, token }: Confirmation): MailContent {
  return {
    subject: `Do you want alerts of ${quoted(workspaceName)}?`,
    workspaceName,
    paragraphs: [
      `Somebody at ${quoted(workspaceName)} wants Posthorn to mail you when webhook endpoints fail or recover (the alert rule ${quoted(ruleName)}).`,
      'You get nothing unless you confirm. The link works once, within 7 days.',
    ],
    action: { label: 'Confirm', url: linkOf(baseUrl, token, 'confirm-alerts') },
    footer: 'If you do not know this workspace, ignore this mail.',
  };
}

type TestAlert = { workspaceName: string; ruleName: string; stopUrl: string };

export function testAlertMail({ workspaceName, ruleName, stopUrl }: TestAlert): MailContent {
  return {
    stopUrl,
    subject: `Test of the alert rule ${quoted(ruleName)}`,
    workspaceName,
    paragraphs: [`This is a test of the alert rule ${quoted(ruleName)}. Nothing is wrong.`],
    footer: `You get this mail because you are the target of the alert rule ${quoted(ruleName)} of ${quoted(workspaceName)}.`,
  };
}

/** The token stands in the fragment, which a browser does not send. */
function linkOf(baseUrl: string, token: string, page = 'set-password'): string {
  return `${baseUrl}/${page}#token=${token}`;
}
