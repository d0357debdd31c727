import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/service.ts'
import { useSignIn } from '../../api/use-session.ts'
import { type PasswordTwice, passwordProblems } from '../../parts/new-password.ts'
import { NewPasswordFields } from '../../parts/new-password-fields.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { welcome as texts } from '../../texts/sign-in.ts'

export function WelcomeForm({ token, email, onAccepted }: { token: string; email: string; onAccepted: () => void }) {
  const [passwords, setPasswords] = useState<PasswordTwice>({ password: '', again: '' })
  const [tried, setTried] = useState(false)
  const accept = useSignIn((password: string) => session.acceptInvitation(token, password))
  const problems = passwordProblems(passwords)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (accept.isPending || Object.keys(problems).length > 0) return
    accept.mutate(passwords.password, { onSuccess: onAccepted })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* Where the browser keeps passwords, this one goes with this address. */}
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
