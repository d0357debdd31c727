import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { api } from '../../api/service.ts'
import { useProviderName } from '../../api/use-providers.ts'
import { useSession, useSignIn } from '../../api/use-session.ts'
import { useSetUp } from '../../api/use-set-up.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { ProviderProblem } from '../../parts/provider-problem.tsx'
import { providers } from '../../texts/providers.ts'
import { signIn as texts } from '../../texts/sign-in.ts'
import { SignInWithProvider } from './provider-button.tsx'

/** The sign-in form. It also replaces any page that requires signing in. */
export function SignInPage() {
  const [path] = useLocation()
  const search = useSearch()
  const provider = useProviderName()
  const isSignedIn = Boolean(useSession().data)
  const setUp = useSetUp()

  if (isSignedIn && path === '/sign-in') return <Redirect to="/" replace />
  if (setUp.data?.needed) return <Redirect to="/setup" replace />
  return (
    <FrontDoor title={texts.title}>
      {!window.isSecureContext && (
        <Alert color="yellow" title={texts.insecure}>
          {texts.insecureHint}
        </Alert>
      )}
      <ProviderProblem name={provider} title={providers.failedTitle} />
      <SignInForm />
      <SignInWithProvider returnTo={path === '/sign-in' ? '/' : search === '' ? path : `${path}?${search}`} />
      {setUp.data?.resetByMail ? (
        <Link to="/reset">{texts.forgot}</Link>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.lost}
        </Text>
      )}
    </FrontDoor>
  )
}

function SignInForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSignIn((body: { email: string; password: string }) => api.signIn({ body }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!signIn.isPending) signIn.mutate({ email: email.trim(), password })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {signIn.error && <ErrorNotice error={signIn.error} title={texts.failed} />}
        <TextInput
          label={texts.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          label={texts.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
