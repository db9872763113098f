import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { TextLink } from '../../../components/links.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/** Requests a mail with a link for a new password. The text that follows is the same for every address. */
export function ForgotPasswordPage() {
  usePageTitle('Forgot password');
  const signIn = api.useQuery('get', '/api/auth/sign-in');
  return (
    <CardPage title="Forgot your password?">
      <Stack gap="md">
        {signIn.error ? <ErrorNotice title="The page could not be loaded" error={signIn.error} /> : null}
        {signIn.data === undefined ? null : signIn.data.sendsMail ? <Ask /> : <NoMail />}
        <Text size="sm">
          <TextLink to="/login" search={{ returnTo: '/' }}>
            Back to the login
          </TextLink>
        </Text>
      </Stack>
    </CardPage>
  );
}

function NoMail() {
  return (
    <Text size="sm">
      This installation sends no mail. Ask its operator for a link: <code>posthorn-admin reset-password</code> makes
      one.
    </Text>
  );
}

function Ask() {
  const [email, setEmail] = useState('');
  const ask = api.useMutation('post', '/api/auth/forgot-password');
  if (ask.isSuccess) {
    return (
      <Text size="sm" role="status">
        If {email} has an account with a password, a mail with a link is on its way. The link works once, within 24
        hours.
      </Text>
    );
  }
  return (
    <Form error={ask.error} onSubmit={() => ask.mutate({ body: { email } })}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          You get a mail with a link that sets a new one.
        </Text>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <FormRefusal title="The mail was not sent" />
        <Button type="submit" size="sm" loading={ask.isPending}>
          Send the link
        </Button>
      </Stack>
    </Form>
  );
}
