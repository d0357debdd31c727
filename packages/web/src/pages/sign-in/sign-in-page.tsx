import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { SecondFactorNeeded } from '@plantroom/contract/api'
import { type FormEvent, useEffect, useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { api } from '../../api/service.ts'
import { useProviderName } from '../../api/use-providers.ts'
import { hasSessionEnded, secondFactorOf, useSession, useSignIn } from '../../api/use-session.ts'
import { useSetUp } from '../../api/use-set-up.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { hasPasskeys, signWithPasskey } from '../../parts/passkey-browser.ts'
import { ProviderProblem } from '../../parts/provider-problem.tsx'
import { proof } from '../../texts/factors.ts'
import { providers } from '../../texts/providers.ts'
import { signIn as texts } from '../../texts/sign-in.ts'
import { SignInWithProvider } from './provider-button.tsx'
import { SecondStep } from './second-step.tsx'

/** The sign-in form. It also replaces any page that requires signing in. */
export function SignInPage() {
  const [path] = useLocation()
  const search = useSearch()
  const provider = useProviderName()
  const isSignedIn = Boolean(useSession().data)
  const setUp = useSetUp()
  const [question, setQuestion] = useState<SecondFactorNeeded['secondFactor']>()
  const isSecondStep = new URLSearchParams(search).get('step') === 'second-factor'

  useEffect(() => {
    if (!isSecondStep) return
    // After a sign-in through the provider, whose redirect cannot carry the question.
    api.askSecondFactor().then(
      ({ secondFactor }) => setQuestion(secondFactor),
      () => undefined,
    )
  }, [isSecondStep])

  if (isSignedIn && path === '/sign-in') return <Redirect to="/" replace />
  if (setUp.data?.needed) return <Redirect to="/setup" replace />
  if (question) {
    return (
      <FrontDoor title={proof.secondStep} lead={proof.secondStepLead}>
        <SecondStep question={question} onStartAgain={() => setQuestion(undefined)} />
      </FrontDoor>
    )
  }
  return (
    <FrontDoor title={texts.title}>
      {!window.isSecureContext && (
        <Alert color="yellow" title={texts.insecure}>
          {texts.insecureHint}
        </Alert>
      )}
      {hasSessionEnded() && (
        <Alert color="blue" role="status" title={texts.ended}>
          {texts.endedHint}
        </Alert>
      )}
      <ProviderProblem name={provider} title={providers.failedTitle} />
      <SignInForm onQuestion={setQuestion} />
      {hasPasskeys() && <PasskeySignIn />}
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

/** Signs in with a passkey alone. */
function PasskeySignIn() {
  const signIn = useSignIn(async () => {
    const { options } = await api.startPasskeySignIn()
    return api.signInWithPasskey({ body: { passkey: await signWithPasskey(options) } })
  })
  return (
    <Stack>
      {signIn.error && <ErrorNotice error={signIn.error} title={texts.failed} />}
      <Button variant="default" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        {proof.signInWithPasskey}
      </Button>
    </Stack>
  )
}

function SignInForm({
  onQuestion,
}: {
  onQuestion: (question: SecondFactorNeeded['secondFactor'] | undefined) => void
}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSignIn((body: { email: string; password: string }) => api.signIn({ body }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (signIn.isPending) return
    signIn.mutate({ email: email.trim(), password }, { onSuccess: (answer) => onQuestion(secondFactorOf(answer)) })
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
