import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/service.ts'
import { type PasswordTwice, passwordProblems } from '../../parts/new-password.ts'
import { NewPasswordFields } from '../../parts/new-password-fields.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { account as texts } from '../../texts/account.ts'

const NONE: PasswordTwice = { password: '', again: '' }

export function ChangePassword({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [passwords, setPasswords] = useState(NONE)
  const [tried, setTried] = useState(false)
  const problems = passwordProblems(passwords)
  const change = useMutation({
    mutationFn: () => session.changePassword(current, passwords.password),
    onSuccess() {
      setCurrent('')
      setPasswords(NONE)
      setTried(false)
    },
  })

  const isCurrentWrong = change.error instanceof ApiError && change.error.field === 'current'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!change.isPending && Object.keys(problems).length === 0) change.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {/* Tells whatever keeps passwords whose this is. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={texts.current}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={isCurrentWrong && texts.wrongCurrent}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <NewPasswordFields value={passwords} onChange={setPasswords} problems={tried ? problems : {}} />
        {change.error && !isCurrentWrong && <ErrorNotice error={change.error} title={texts.failed} />}
        {change.isSuccess && !tried && (
          <Alert color="green" role="status">
            {texts.changed}
          </Alert>
        )}
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.change}
        </Button>
      </Stack>
    </form>
  )
}
