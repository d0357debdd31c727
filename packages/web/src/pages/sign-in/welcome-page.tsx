import { Button, Stack, TextInput } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { SecondFactorNeeded } from '@plantroom/contract/api'
import type { AccountLink } from '@plantroom/contract/roles'
import { type FormEvent, useState } from 'react'
import { Redirect } from 'wouter'
import { api } from '../../api/service.ts'
import { useOperation } from '../../api/use-operation.ts'
import { secondFactorOf, useSignIn } from '../../api/use-session.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { NewPasswordFields, type PasswordTwice, passwordProblems } from '../../parts/new-password.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { useTokenOfAddress } from '../../parts/token-of-address.ts'
import { proof } from '../../texts/factors.ts'
import { format } from '../../texts/format.ts'
import { join, welcome as texts } from '../../texts/sign-in.ts'
import { JoinForm } from './join-form.tsx'
import { AcceptWithProvider } from './provider-button.tsx'
import { SecondStep } from './second-step.tsx'

/** The page behind a link: a new member chooses a password, others join with their account or set a new password. */
export function WelcomePage() {
  const token = useTokenOfAddress()
  const [accepted, setAccepted] = useState(false)
  const once = { enabled: token !== '', staleTime: Number.POSITIVE_INFINITY }
  const invitation = useOperation('findInvitation', { body: { token } }, once)

  if (accepted) return <Redirect to="/" replace />
  if (token === '') return <NoInvitation title={texts.missing} hint={texts.missingHint} />
  if (invitation.data) {
    return <Opened key={token} token={token} link={invitation.data} onAccepted={() => setAccepted(true)} />
  }
  const { error } = invitation
  if (error instanceof ApiError && error.status < 500) return <NoInvitation title={texts.over} hint={texts.overHint} />
  return (
    <FrontDoor title={texts.title}>
      {error ? <ErrorNotice error={error} retry={invitation.refetch} /> : <Loading />}
    </FrontDoor>
  )
}

function Opened({ token, link, onAccepted }: { token: string; link: AccountLink; onAccepted: () => void }) {
  const [question, setQuestion] = useState<SecondFactorNeeded['secondFactor']>()
  const { email, purpose } = link
  const organization = link.organization ?? ''
  if (purpose === 'join') {
    return (
      <FrontDoor title={format(join.title, { organization })} lead={format(join.lead, { organization, email })}>
        <JoinForm token={token} email={email} onJoined={onAccepted} />
      </FrontDoor>
    )
  }
  const isNew = purpose === 'join-new'
  if (question) {
    return (
      <FrontDoor title={proof.secondStep} lead={proof.passwordSet}>
        <SecondStep question={question} onDone={onAccepted} onStartAgain={onAccepted} />
      </FrontDoor>
    )
  }
  return (
    <FrontDoor
      title={isNew ? texts.title : texts.passwordTitle}
      lead={format(isNew ? texts.lead : texts.passwordLead, { email, organization })}
    >
      <WelcomeForm token={token} email={email} onAccepted={onAccepted} onQuestion={setQuestion} />
      {isNew && <AcceptWithProvider token={token} />}
    </FrontDoor>
  )
}

function NoInvitation({ title, hint }: { title: string; hint: string }) {
  return (
    <FrontDoor title={title} lead={hint}>
      <Link to="/sign-in">{texts.toSignIn}</Link>
    </FrontDoor>
  )
}

function WelcomeForm({
  token,
  email,
  onAccepted,
  onQuestion,
}: {
  token: string
  email: string
  onAccepted: () => void
  onQuestion: (question: SecondFactorNeeded['secondFactor']) => void
}) {
  const [passwords, setPasswords] = useState<PasswordTwice>({ password: '', again: '' })
  const [tried, setTried] = useState(false)
  const accept = useSignIn((password: string) => api.acceptInvitation({ body: { token, password } }))
  const problems = passwordProblems(passwords)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (accept.isPending || Object.keys(problems).length > 0) return
    accept.mutate(passwords.password, {
      onSuccess(answer) {
        const question = secondFactorOf(answer)
        if (question) onQuestion(question)
        else onAccepted()
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* Password managers store the password with this address. */}
        <TextInput label={texts.email} value={email} type="email" autoComplete="username" readOnly />
        <NewPasswordFields value={passwords} onChange={setPasswords} problems={tried ? problems : {}} />
        {accept.error && <ErrorNotice error={accept.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={accept.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
