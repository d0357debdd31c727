import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { SecondFactorNeeded, SignInAnswer } from '@plantroom/contract/api'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/service.ts'
import { secondFactorOf, useSession, useSignIn } from '../../api/use-session.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { format } from '../../texts/format.ts'
import { signIn, join as texts } from '../../texts/sign-in.ts'
import { AcceptWithProvider } from './provider-button.tsx'
import { SecondStep } from './second-step.tsx'

/** Lets a person who has an account accept the invitation of an organization. They sign in first, unless they are. */
export function JoinForm({ token, email, onJoined }: { token: string; email: string; onJoined: () => void }) {
  const signedInAs = useSession().data?.user.email
  const isSignedIn = signedInAs === email
  const [password, setPassword] = useState('')
  const [question, setQuestion] = useState<SecondFactorNeeded['secondFactor']>()
  const joinAfter = async (answer: SignInAnswer): Promise<SignInAnswer> =>
    'secondFactor' in answer ? answer : api.joinByLink({ body: { token } })
  const join = useSignIn(async () =>
    isSignedIn ? api.joinByLink({ body: { token } }) : joinAfter(await api.signIn({ body: { email, password } })),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (join.isPending) return
    join.mutate(undefined, {
      onSuccess(answer) {
        const asked = secondFactorOf(answer)
        if (asked) setQuestion(asked)
        else onJoined()
      },
    })
  }
  if (question) {
    return (
      <SecondStep
        question={question}
        complete={async (body) => joinAfter(await api.completeSignIn({ body }))}
        onDone={onJoined}
        onStartAgain={() => setQuestion(undefined)}
      />
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {signedInAs !== undefined && !isSignedIn && (
          <Text>{format(texts.otherAccount, { current: signedInAs, email })}</Text>
        )}
        <TextInput label={texts.email} value={email} type="email" autoComplete="username" readOnly />
        {!isSignedIn && (
          <PasswordInput
            label={texts.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
        )}
        {join.error && <ErrorNotice error={join.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={join.isPending}>
          {texts.submit}
        </Button>
        {!isSignedIn && <AcceptWithProvider token={token} />}
        {!isSignedIn && <Link to="/reset">{signIn.forgot}</Link>}
      </Stack>
    </form>
  )
}
