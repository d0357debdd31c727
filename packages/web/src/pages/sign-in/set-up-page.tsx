import { Button, Divider, Stack, TextInput } from '@mantine/core'
import type { OperationInput } from '@plantroom/client/client'
import { type FormEvent, useState } from 'react'
import { Redirect } from 'wouter'
import { api } from '../../api/service.ts'
import { useSession, useSignIn } from '../../api/use-session.ts'
import { useSetUp } from '../../api/use-set-up.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { FrontDoor } from '../../parts/front-door.tsx'
import { Link } from '../../parts/link.tsx'
import { NewPasswordFields, type PasswordTwice, passwordProblems } from '../../parts/new-password.tsx'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { TimeZoneSelect } from '../../parts/selects.tsx'
import { useTokenOfAddress } from '../../parts/token-of-address.ts'
import { setUp as texts } from '../../texts/sign-in.ts'

/** The setup of a first start. The token in the cloud's log proves that the person is its operator. */
export function SetUpPage() {
  const token = useTokenOfAddress()
  const isSignedIn = Boolean(useSession().data)
  const setUp = useSetUp()

  if (isSignedIn) return <Redirect to="/" replace />
  if (setUp.data?.needed === false) {
    return (
      <FrontDoor title={texts.done} lead={texts.doneHint}>
        <Link to="/sign-in">{texts.toSignIn}</Link>
      </FrontDoor>
    )
  }
  return (
    <FrontDoor title={texts.title} lead={texts.lead} wide>
      <QueryView query={setUp}>{() => <SetUpForm givenToken={token} />}</QueryView>
    </FrontDoor>
  )
}

function SetUpForm({ givenToken }: { givenToken: string }) {
  const [fields, setFields] = useState({ token: givenToken, organization: '', site: '', email: '' })
  const [timeZone, setTimeZone] = useState(ownTimeZone)
  const [passwords, setPasswords] = useState<PasswordTwice>({ password: '', again: '' })
  const [tried, setTried] = useState(false)
  const setUp = useSignIn((body: OperationInput<'setUp'>['body']) => api.setUp({ body }))
  const problems = passwordProblems(passwords)

  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setFields({ ...fields, [name]: event.currentTarget.value }),
    name,
    required: true,
    withAsterisk: false,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (setUp.isPending || Object.keys(problems).length > 0) return
    const { token, organization, site, email } = fields
    setUp.mutate({
      token: token.trim(),
      organization: organization.trim(),
      site: site.trim(),
      timeZone,
      email: email.trim(),
      password: passwords.password,
    })
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.token}
          description={texts.tokenHint}
          autoComplete="off"
          spellCheck={false}
          {...field('token')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <TextInput label={texts.organization} autoComplete="organization" maxLength={255} {...field('organization')} />
        <TextInput
          label={texts.site}
          description={texts.siteHint}
          autoComplete="off"
          maxLength={255}
          {...field('site')}
        />
        <TimeZoneSelect
          label={texts.timeZone}
          description={texts.timeZoneHint}
          value={timeZone}
          onChange={setTimeZone}
        />
        <Divider label={texts.you} labelPosition="left" />
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...field('email')}
        />
        <NewPasswordFields value={passwords} onChange={setPasswords} problems={tried ? problems : {}} />
        {setUp.error && <ErrorNotice error={setUp.error} title={texts.failed} />}
        <Button type="submit" size="md" fullWidth loading={setUp.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}
