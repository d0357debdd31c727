import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/service.ts'
import { useSignIn } from '../../api/use-session.ts'
import { type PasswordTwice, passwordProblems } from '../../parts/new-password.ts'
import { NewPasswordFields } from '../../parts/new-password-fields.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { ownTimeZone, TimeZoneSelect } from '../../parts/time-zone-select.tsx'
import { setUp as texts } from '../../texts/sign-in.ts'

export function SetUpForm({ givenToken }: { givenToken: string }) {
  const [fields, setFields] = useState({ token: givenToken, organization: '', site: '', email: '' })
  const [timeZone, setTimeZone] = useState(ownTimeZone)
  const [passwords, setPasswords] = useState<PasswordTwice>({ password: '', again: '' })
  const [tried, setTried] = useState(false)
  const setUp = useSignIn(session.setUp)
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
